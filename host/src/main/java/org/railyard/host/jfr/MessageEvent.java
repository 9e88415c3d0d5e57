package org.railyard.host.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Traced;

/** {@link Traced.Message} as it is recorded: if it is asked for, since there may be a million in a second. */
@Name(JfrTracer.PREFIX + "Message")
@Label("LNet message")
@Description("A transport sent or received a message of LNet, or failed to; each attempt is an event")
@Category({"Railyard", "LNet"})
@StackTrace(false)
@Enabled(false)
final class MessageEvent extends Event {
    @Label("Sent")
    @Description("Whether it left, as opposed to came in")
    boolean sent;

    @Label("Type")
    @Description("PUT, GET, ACK or REPLY")
    @Nullable
    String type;

    @Label("NI")
    @Nullable
    String ni;

    @Label("Peer NI")
    @Description("The next hop of one that was sent, the last hop of one that came in")
    @Nullable
    String peerNi;

    @Label("Length")
    @Description("Payload")
    @DataAmount(DataAmount.BYTES)
    int length;

    @Label("Took")
    @Description("Of one that was sent: from the choice of its path to the end of the attempt")
    @Timespan(Timespan.NANOSECONDS)
    long took;

    @Label("Attempt")
    int attempt;

    @Label("Status")
    @Description("0, or a negative errno")
    int status;

    @Label("Health Status")
    @Description("Whose failure it is, as the transport sees it; OK if it is none")
    @Nullable
    String health;

    /** Records one. */
    static void commit(Traced.Message happened) {
        MessageEvent event = new MessageEvent();
        event.sent = happened.sent();
        event.type = happened.type().toString();
        event.ni = JfrTracer.text(happened.ni());
        event.peerNi = JfrTracer.text(happened.peerNi());
        event.length = happened.length();
        event.took = happened.took();
        event.attempt = happened.attempt();
        event.status = happened.status();
        event.health = happened.health().toString();
        event.commit();
    }
}
