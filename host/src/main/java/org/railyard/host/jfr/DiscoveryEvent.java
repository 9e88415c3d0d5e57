package org.railyard.host.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Traced;

/** {@link Traced.Discovery} as it is recorded. */
@Name(JfrTracer.PREFIX + "Discovery")
@Label("LNet discovery")
@Description("A discovery of a peer ended")
@Category({"Railyard", "LNet"})
@StackTrace(false)
final class DiscoveryEvent extends Event {
    @Label("Peer")
    @Description("Its primary NID")
    @Nullable
    String peer;

    @Label("NIDs")
    @Description("How many it has")
    int nids;

    @Label("Took")
    @Description("Since the discovery was asked for")
    @Timespan(Timespan.NANOSECONDS)
    long took;

    @Label("Status")
    @Description("0, or a negative errno")
    int status;

    /** Records one. */
    static void commit(Traced.Discovery happened) {
        DiscoveryEvent event = new DiscoveryEvent();
        event.peer = happened.peer().toString();
        event.nids = happened.nids();
        event.took = happened.took();
        event.status = happened.status();
        event.commit();
    }
}
