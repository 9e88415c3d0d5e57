package org.railyard.lnet.runtime;

import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.model.Gateway;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.Stack;

/** What follows when a gateway was found dead (spec 11 §6.4). */
final class DeadGateways {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");

    private final Node node;
    private final Stack stack;

    DeadGateways(Node node, Stack stack) {
        this.node = node;
        this.stack = stack;
    }

    /**
     * It does not answer: what waits for it takes other routes, and connections to it are dropped, or what is on them
     * would wait until they time out.
     */
    void unanswered(Gateway gateway) {
        node.lock.assertHeld();
        stack.resender().moveFrom(gateway);
        for (PeerNi hop : gateway.peer.nis()) {
            LocalNet here = node.nis.netOf(hop.nid());
            if (here != null) {
                here.nis.forEach(ni -> lost(ni, hop.nid()));
            }
        }
    }

    /** A transport reported one of its NIDs as dead, as seen from an NI. */
    void lost(LocalNi ni, Nid hop) {
        node.lock.assertHeld();
        if (ni.state() == LocalNi.State.ACTIVE) {
            Lnd lnd = ni.lnd();
            stack.sender().later(() -> drop(lnd, ni, hop));
        }
    }

    private static void drop(Lnd lnd, LocalNi ni, Nid hop) {
        try {
            lnd.dropConnections(ni, hop);
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "connections of NI " + ni + " to " + hop + " were not dropped", e);
        }
    }
}
