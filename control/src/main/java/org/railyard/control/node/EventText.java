package org.railyard.control.node;

import java.time.Instant;
import java.util.Map;
import org.railyard.base.text.Doc;
import org.railyard.lnet.api.EventRing;
import org.railyard.lnet.api.NodeEvent;
import org.railyard.lnet.nid.Nid;

/** Events as documents. */
final class EventText {
    private static final long SECOND = 1_000_000_000L;
    private static final int MICRO = 1_000;

    private EventText() {}

    static Map<String, Object> of(EventRing.Numbered numbered) {
        NodeEvent event = numbered.event();
        Doc doc = new Doc()
                .put("number", numbered.number())
                .put("time", time(event.wallNanos()))
                .put("kind", event.kind().key());
        put(doc, "nid", event.nid());
        put(doc, "other_nid", event.other());
        if (event.count() > 1) {
            doc.put("count", event.count());
        }
        return doc.put("bad", event.isBad()).put("text", event.text()).map();
    }

    private static void put(Doc doc, String name, Nid nid) {
        if (!nid.isAny()) {
            doc.put(name, nid.toString());
        }
    }

    /** In UTC, to the microsecond: what is below that says more than clocks know. */
    private static String time(long wallNanos) {
        long rounded = Math.floorDiv(wallNanos, MICRO) * MICRO;
        return Instant.ofEpochSecond(Math.floorDiv(rounded, SECOND), Math.floorMod(rounded, SECOND))
                .toString();
    }
}
