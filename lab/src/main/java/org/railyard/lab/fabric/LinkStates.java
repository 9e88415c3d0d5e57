package org.railyard.lab.fabric;

import java.util.BitSet;
import org.railyard.fabric.model.Fabric;
import org.railyard.softverbs.SoftFabric;

/**
 * Which links are down, and for how many reasons. When the last of them is gone, the link waits for the subnet manager
 * to make it active, as links of InfiniBand do.
 */
final class LinkStates {
    private final Fabric whole;
    private final SoftFabric fabric;
    private final int[] reasons;
    private final BitSet waiting = new BitSet();

    LinkStates(Fabric whole, SoftFabric fabric) {
        this.whole = whole;
        this.fabric = fabric;
        this.reasons = new int[whole.portCount()];
    }

    /** A reason to be down comes or goes for the cable of a port. */
    void ofPort(int port, boolean up) {
        BitSet changed = new BitSet();
        count(port, up, changed);
        change(changed, up);
    }

    /** A reason to be down comes or goes for all cables of a switch. */
    void ofSwitch(int node, boolean up) {
        BitSet changed = new BitSet();
        for (int number = 1; number <= whole.ports(node); number++) {
            count(whole.portIndex(node, number), up, changed);
        }
        change(changed, up);
    }

    private void change(BitSet changed, boolean up) {
        if (up) {
            waiting.or(changed);
            return;
        }
        BitSet active = (BitSet) changed.clone();
        active.andNot(waiting);
        waiting.andNot(changed);
        fabric.setLinks(active, false);
    }

    /** The subnet manager makes the links active that wait for it. */
    void activate() {
        if (!waiting.isEmpty()) {
            fabric.setLinks((BitSet) waiting.clone(), true);
            waiting.clear();
        }
    }

    /** Returns the cables that have a reason to be down, each by its first port. */
    BitSet down() {
        BitSet down = new BitSet();
        for (int cable = 0; cable < reasons.length; cable++) {
            down.set(cable, reasons[cable] > 0);
        }
        return down;
    }

    private void count(int port, boolean up, BitSet changed) {
        int other = whole.cable(port);
        if (other == Fabric.NONE) {
            return;
        }
        int cable = Math.min(port, other);
        boolean was = reasons[cable] == 0;
        reasons[cable] += up ? -1 : 1;
        if (was != (reasons[cable] == 0)) {
            changed.set(cable);
        }
    }
}
