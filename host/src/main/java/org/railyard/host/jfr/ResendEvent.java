package org.railyard.host.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Traced;

/** {@link Traced.Resend} as it is recorded. */
@Name(JfrTracer.PREFIX + "Resend")
@Label("LNet resend")
@Description("A message of LNet that failed is sent again")
@Category({"Railyard", "LNet"})
@StackTrace(false)
final class ResendEvent extends Event {
    @Label("Type")
    @Description("PUT, GET, ACK or REPLY")
    @Nullable
    String type;

    @Label("NI")
    @Description("The NI that it leaves from now")
    @Nullable
    String ni;

    @Label("Peer NI")
    @Description("Where it goes now")
    @Nullable
    String peerNi;

    @Label("Failed NI")
    @Description("The NI that it left from before")
    @Nullable
    String failedNi;

    @Label("Failed Peer NI")
    @Description("Where it went before")
    @Nullable
    String failedPeerNi;

    @Label("Attempt")
    int attempt;

    @Label("Attempts")
    @Description("Most that are made")
    int attempts;

    @Label("Health Status")
    @Description("How it failed")
    @Nullable
    String health;

    /** Records one. */
    static void commit(Traced.Resend happened) {
        ResendEvent event = new ResendEvent();
        event.type = happened.type().toString();
        event.ni = happened.ni().toString();
        event.peerNi = happened.peerNi().toString();
        event.failedNi = happened.failedNi().toString();
        event.failedPeerNi = happened.failedPeerNi().toString();
        event.attempt = happened.attempt();
        event.attempts = happened.attempts();
        event.health = happened.health().toString();
        event.commit();
    }
}
