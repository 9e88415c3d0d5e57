package org.railyard.fabric.sim;

import java.util.ArrayList;
import java.util.List;
import org.railyard.fabric.torus.qos.VlArbTable;

/**
 * How a port chooses among VLs: OpenSM's tables (spec 33 §3(5)).
 *
 * @param high served first
 * @param low served when no VL of {@code high} has anything to send, or when those have used up the limit
 * @param highLimit what {@code high} may send while {@code low} waits, in units of 4 KiB; 0 = one packet, 255 = no
 *     limit
 */
public record Arbitration(VlArbTable high, VlArbTable low, int highLimit) {
    /** No limit. */
    public static final int UNLIMITED = 255;

    private static final int DATA_VLS = 15;
    private static final int ONE_MTU = 64;

    /** Every VL in turn, 4 KiB each. */
    public static final Arbitration EQUAL = equal();

    /** Checks the limit. */
    public Arbitration {
        if (highLimit < 0 || highLimit > UNLIMITED) {
            throw new IllegalArgumentException("high limit " + highLimit + " is not 0 to " + UNLIMITED);
        }
    }

    private static Arbitration equal() {
        List<VlArbTable.Entry> entries = new ArrayList<>();
        for (int vl = 0; vl < DATA_VLS; vl++) {
            entries.add(new VlArbTable.Entry(vl, ONE_MTU));
        }
        return new Arbitration(new VlArbTable(List.of()), new VlArbTable(entries), 0);
    }
}
