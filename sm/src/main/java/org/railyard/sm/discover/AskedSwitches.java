package org.railyard.sm.discover;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.mad.wire.DirectedPath;
import org.railyard.sm.subnet.ManagedNode;

/**
 * The switches that a discovery of what was told asks (spec 41 §2.1): those that told of a change, those near them, and
 * those on the way there. For the loop of the transport.
 */
final class AskedSwitches {
    /**
     * How many cables away from a switch that told of a change others are asked, too: of a switch that is gone one
     * neighbour may tell, and all have changed.
     */
    private static final int NEAR = 2;

    private final Set<Long> guids = new LinkedHashSet<>();

    /** Tells whether a switch is asked. */
    boolean has(ManagedNode node) {
        return guids.contains(node.guid());
    }

    /** Adds switches that told of a change, those near them, and all on the way there. */
    void addNear(List<ManagedNode> told) {
        told.forEach(this::addOnTheWayTo);
        Set<ManagedNode> last = new LinkedHashSet<>(told);
        for (int away = 1; away <= NEAR; away++) {
            Set<ManagedNode> next = new LinkedHashSet<>();
            for (ManagedNode node : last) {
                for (int port = 1; port <= node.lastPort(); port++) {
                    ManagedNode peer = node.lastPeer(port);
                    if (peer != null && peer.isSwitch()) {
                        addOnTheWayTo(peer);
                        next.add(peer);
                    }
                }
            }
            last = next;
        }
    }

    /** Adds a switch, and all on the way to it: a cable that is missing there would only be told by a time-out. */
    private void addOnTheWayTo(ManagedNode node) {
        for (ManagedNode next = node; next != null && guids.add(next.guid()); next = before(next)) {
            // The next one is nearer to the own port.
        }
    }

    /** Returns the switch before another on the way to it; null if there is none. */
    private static @Nullable ManagedNode before(ManagedNode node) {
        DirectedPath way = node.path(0);
        for (int port = 1; way != null && port <= node.lastPort(); port++) {
            ManagedNode peer = node.lastPeer(port);
            DirectedPath to = peer != null && peer.isSwitch() ? peer.path(0) : null;
            if (peer != null
                    && to != null
                    && to.hops() < DirectedPath.MAX_HOPS
                    && way.equals(to.then(node.lastPeerPort(port)))) {
                return peer;
            }
        }
        return null;
    }
}
