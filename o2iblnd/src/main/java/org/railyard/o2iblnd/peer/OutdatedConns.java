package org.railyard.o2iblnd.peer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.railyard.o2iblnd.connection.CloseReason;
import org.railyard.o2iblnd.connection.IbConn;

/**
 * Connections of a peer whose path is not the one that the subnet manager tells now (spec 24 §6.1). They are used until
 * there is another one, and then no more; they end when nothing is under way on them. Belongs to the loop.
 */
final class OutdatedConns {
    /** In use, for there is no other. */
    private final Set<IbConn> marked = new LinkedHashSet<>();

    /** Not used any more, since when, ns. */
    private final Map<IbConn, Long> replaced = new LinkedHashMap<>();

    /** Notes a connection; false if that was done before. */
    boolean mark(IbConn conn) {
        return !replaced.containsKey(conn) && marked.add(conn);
    }

    /** A connection is on the right path again, unless another one has taken its place. */
    void unmark(IbConn conn) {
        marked.remove(conn);
    }

    /** A new connection is up: it takes the place of one of those in use, if there is any. */
    void replace(List<IbConn> used, long now) {
        for (IbConn conn : used) {
            if (marked.remove(conn)) {
                used.remove(conn);
                replaced.put(conn, now);
                return;
            }
        }
    }

    void remove(IbConn conn) {
        marked.remove(conn);
        replaced.remove(conn);
    }

    /** Returns those that are not used any more. */
    Set<IbConn> replaced() {
        return Set.copyOf(replaced.keySet());
    }

    int size() {
        return replaced.size();
    }

    boolean isEmpty() {
        return replaced.isEmpty();
    }

    /** Ends those on which nothing is under way, or that the peer has not left within a limit, ns. */
    void check(long now, long limitNanos) {
        for (IbConn conn : List.copyOf(marked)) {
            if (conn.isIdle()) {
                conn.close(CloseReason.IDLE);
            }
        }
        for (Map.Entry<IbConn, Long> each : new ArrayList<>(replaced.entrySet())) {
            IbConn conn = each.getKey();
            if (conn.isIdle() || now - each.getValue() >= limitNanos) {
                conn.close(CloseReason.IDLE);
            } else {
                conn.check(now);
            }
        }
    }
}
