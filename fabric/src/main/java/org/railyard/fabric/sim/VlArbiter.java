package org.railyard.fabric.sim;

import java.util.List;
import org.railyard.fabric.torus.qos.VlArbTable;

/**
 * Weighted round robin over VLs, of many ports that have the same tables (spec 33 §3(5)). An entry serves its VL until
 * it has sent its weight; what has nothing to send, or no credits for it, passes its turn on.
 */
final class VlArbiter {
    private static final int UNIT_BYTES = 4096;
    private static final int NOBODY = -1;

    /** One table, and where each port is in it. */
    private static final class Turns {
        private final int[] vls;
        private final int[] weights;
        private final int[] at;
        private final int[] left;
        private final int members;

        Turns(VlArbTable table, int ports) {
            List<VlArbTable.Entry> entries =
                    table.entries().stream().filter(entry -> entry.weight() > 0).toList();
            vls = entries.stream().mapToInt(VlArbTable.Entry::vl).toArray();
            weights = entries.stream().mapToInt(VlArbTable.Entry::weight).toArray();
            at = new int[ports];
            left = new int[ports];
            int all = 0;
            for (int vl : vls) {
                all |= 1 << vl;
            }
            members = all;
            if (weights.length > 0) {
                for (int port = 0; port < ports; port++) {
                    left[port] = weights[0];
                }
            }
        }

        /** Chooses among VLs of which the table has at least one. */
        int choose(int port, int eligible) {
            while (left[port] <= 0 || (eligible >>> vls[at[port]] & 1) == 0) {
                at[port] = at[port] + 1 == vls.length ? 0 : at[port] + 1;
                left[port] = weights[at[port]];
            }
            return vls[at[port]];
        }

        void sent(int port, int credits) {
            left[port] -= credits;
        }
    }

    private final Turns high;
    private final Turns low;
    private final int highLimit;

    /** What the high table may still send while the low one waits, bytes; 0 if that is nothing. */
    private final int[] budget;

    private boolean lastWasHigh;

    VlArbiter(Arbitration arbitration, int ports) {
        high = new Turns(arbitration.high(), ports);
        low = new Turns(arbitration.low(), ports);
        highLimit = arbitration.highLimit();
        budget = new int[ports];
        for (int port = 0; port < ports; port++) {
            budget[port] = fullBudget();
        }
    }

    /** Tells whether any table has the VL with a weight. */
    boolean serves(int vl) {
        return ((high.members | low.members) >>> vl & 1) != 0;
    }

    private int fullBudget() {
        return Math.max(1, highLimit * UNIT_BYTES);
    }

    /**
     * Chooses the VL that sends next.
     *
     * @param eligible a bit for each VL with a packet and credits for it
     * @return −1 if no table serves any of them
     */
    int choose(int port, int eligible) {
        boolean lowWaits = (eligible & low.members) != 0;
        boolean isHigh =
                (eligible & high.members) != 0 && (!lowWaits || highLimit == Arbitration.UNLIMITED || budget[port] > 0);
        lastWasHigh = isHigh;
        if (isHigh) {
            return high.choose(port, eligible);
        }
        return lowWaits ? low.choose(port, eligible) : NOBODY;
    }

    /** The packet of the VL that was chosen last is sent. */
    void sent(int port, int credits) {
        if (lastWasHigh) {
            high.sent(port, credits);
            budget[port] = Math.max(0, budget[port] - credits * SimSettings.CREDIT_BYTES);
        } else {
            low.sent(port, credits);
            budget[port] = fullBudget();
        }
    }
}
