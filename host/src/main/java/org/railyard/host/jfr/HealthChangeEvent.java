package org.railyard.host.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Traced;

/** {@link Traced.HealthChange} as it is recorded. */
@Name(JfrTracer.PREFIX + "HealthChange")
@Label("LNet health change")
@Description("The health of an NI or a peer NI changed")
@Category({"Railyard", "LNet"})
@StackTrace(false)
final class HealthChangeEvent extends Event {
    @Label("Local")
    @Description("Whether it is an NI of this node, as opposed to one of a peer")
    boolean local;

    @Label("NID")
    @Nullable
    String nid;

    @Label("Before")
    @Description("0 to 1000")
    int before;

    @Label("Now")
    @Description("0 to 1000; 1000 is well")
    int now;

    /** Records one. */
    static void commit(Traced.HealthChange happened) {
        HealthChangeEvent event = new HealthChangeEvent();
        event.local = happened.local();
        event.nid = happened.nid().toString();
        event.before = happened.before();
        event.now = happened.now();
        event.commit();
    }
}
