package org.railyard.control.node;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Spelling;
import org.railyard.control.EventsOperation;
import org.railyard.lnet.api.EventRing;
import org.railyard.lnet.api.NodeEvent;
import org.railyard.lnet.api.NodeEventKind;
import org.railyard.lnet.nid.Nid;

/**
 * Which events are wanted.
 *
 * @param kinds empty for all
 * @param nid one that takes part, null for any
 * @param last most of those that are over
 * @param after only those with a number above this one
 */
record EventFilter(Set<NodeEventKind> kinds, @Nullable Nid nid, int last, long after) {
    /**
     * Reads what is wanted.
     *
     * @throws ErrnoException EINVAL if it can not be read
     */
    static EventFilter of(EventsOperation.Show show) {
        Set<NodeEventKind> kinds = new LinkedHashSet<>();
        show.kinds().forEach(each -> kinds.add(kind(each.strip())));
        int last = show.last() == null ? EventsOperation.Show.USUAL : show.last();
        if (last < 0 || last > EventRing.MAX_EVENTS) {
            throw new ErrnoException(
                    Errno.EINVAL, "the last " + last + " events; expected 0 to " + EventRing.MAX_EVENTS);
        }
        long after = show.after() == null ? 0 : show.after();
        if (after < 0) {
            throw new ErrnoException(Errno.EINVAL, "events after number " + after + "; expected 0 or more");
        }
        return new EventFilter(kinds, show.nid() == null ? null : Nids.nid(show.nid()), last, after);
    }

    private static NodeEventKind kind(String name) {
        List<String> known =
                Arrays.stream(NodeEventKind.values()).map(NodeEventKind::key).toList();
        int place = known.indexOf(name);
        if (place < 0) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "no kind of event is called '" + name + "'" + Spelling.hint(name, known) + "; there are "
                            + String.join(", ", known));
        }
        return NodeEventKind.values()[place];
    }

    boolean takes(NodeEvent event) {
        return (kinds.isEmpty() || kinds.contains(event.kind()))
                && (nid == null || nid.equals(event.nid()) || nid.equals(event.other()));
    }
}
