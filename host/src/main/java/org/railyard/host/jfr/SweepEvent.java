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

/** {@link Traced.Sweep} as it is recorded. */
@Name(JfrTracer.PREFIX + "SubnetSweep")
@Label("Subnet sweep")
@Description("A heavy sweep of the subnet manager ended")
@Category({"Railyard", "Subnet manager"})
@StackTrace(false)
final class SweepEvent extends Event {
    @Label("Number")
    @Description("From 1")
    long number;

    @Label("Reason")
    @Nullable
    String reason;

    @Label("Result")
    @Nullable
    String result;

    @Label("Took")
    @Timespan(Timespan.NANOSECONDS)
    long took;

    @Label("Requests")
    @Description("MADs that were sent, repeated ones too")
    long requests;

    @Label("Switches")
    int switches;

    @Label("Ends")
    @Description("Nodes that are no switches")
    int ends;

    @Label("Links Down")
    @Description("Cables that do not carry data at its end")
    int linksDown;

    /** Records one. */
    static void commit(Traced.Sweep happened) {
        SweepEvent event = new SweepEvent();
        event.number = happened.number();
        event.reason = happened.reason();
        event.result = happened.result().toString();
        event.took = happened.took();
        event.requests = happened.requests();
        event.switches = happened.switches();
        event.ends = happened.ends();
        event.linksDown = happened.linksDown();
        event.commit();
    }
}
