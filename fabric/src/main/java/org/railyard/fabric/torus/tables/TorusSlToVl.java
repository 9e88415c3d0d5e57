package org.railyard.fabric.torus.tables;

import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.torus.grid.SlToVlRule;
import org.railyard.fabric.torus.placement.Placement;

/** The SL to VL tables of a fabric: 16 of them, limited to what each output port offers (spec 30 §8). Immutable. */
public final class TorusSlToVl implements SlToVl {
    private static final int CLASSES = SlToVlRule.END + 1;
    private static final int CODES = 6;

    private final Fabric fabric;
    private final Placement placement;
    private final int maxOpVls;
    /** By OperVLs code, input class, output class. */
    private final long[] switchTables = new long[CODES * CLASSES * CLASSES];
    /** By OperVLs code. */
    private final long[] endTables = new long[CODES];
    /** By OperVLs code: whether the rule has VLs that such a port does not offer. */
    private final boolean[] isCut = new boolean[CODES];

    /** Makes the tables of a rule; {@code maxOpVls} caps data VLs, coded like VLCap. */
    public TorusSlToVl(Fabric fabric, Placement placement, SlToVlRule rule, int maxOpVls) {
        this.fabric = fabric;
        this.placement = placement;
        this.maxOpVls = maxOpVls;
        int[] vls = new int[SlToVlRule.SLS];
        for (int code = 1; code < CODES; code++) {
            for (int in = 0; in < CLASSES; in++) {
                for (int out = 0; out < CLASSES; out++) {
                    for (int sl = 0; sl < vls.length; sl++) {
                        int whole = rule.vl(in, out, sl);
                        vls[sl] = SlToVlRule.masked(whole, code);
                        isCut[code] |= vls[sl] != whole;
                    }
                    switchTables[(code * CLASSES + in) * CLASSES + out] = SlToVl.pack(vls);
                }
            }
            for (int sl = 0; sl < vls.length; sl++) {
                vls[sl] = SlToVlRule.masked(rule.endNodeVl(sl), code);
            }
            endTables[code] = SlToVl.pack(vls);
        }
    }

    @Override
    public long table(int switchIndex, int in, int out) {
        int code = operVls(fabric.portIndex(switchIndex, out));
        return switchTables[
                (code * CLASSES + placement.portClass(switchIndex, in)) * CLASSES
                        + placement.portClass(switchIndex, out)];
    }

    @Override
    public long endTable(int endPort) {
        return endTables[operVls(endPort)];
    }

    /** Returns whether the tables of an output port may be others than the rule has. */
    public boolean isCut(int port) {
        return isCut[operVls(port)];
    }

    private int operVls(int port) {
        return Math.min(fabric.operVls(port), maxOpVls);
    }
}
