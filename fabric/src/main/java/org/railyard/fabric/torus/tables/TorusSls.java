package org.railyard.fabric.torus.tables;

import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.torus.placement.Placement;
import org.railyard.fabric.torus.qos.QosMode;

/**
 * Service levels of paths on a torus: a function of the coordinates of the two switches and of the hint, of nothing
 * else; so no failure can change one (spec 30 §5). An SL class is a position. Immutable.
 */
public final class TorusSls implements PathSls {
    private static final int LEVEL_ONE_HINT = 8;

    private final TorusShape shape;
    private final QosMode mode;
    private final int[] positionOfLid;

    /** Makes the SLs of a torus; {@code mode} says how they are shared out. */
    public TorusSls(Fabric fabric, Placement placement, QosMode mode) {
        this.shape = placement.grid().shape();
        this.mode = mode;
        this.positionOfLid = new int[fabric.maxLid() + 1];
        for (int lid = 0; lid < positionOfLid.length; lid++) {
            int port = fabric.portOfLid(lid);
            int at = port == Fabric.NONE ? Fabric.NONE : fabric.switchOf(port);
            positionOfLid[lid] = at == Fabric.NONE ? Placement.NONE : placement.positionOf(at);
        }
    }

    @Override
    public int levels() {
        return mode == QosMode.TWO_LEVELS ? 2 : 1;
    }

    @Override
    public int classes() {
        return shape.positions();
    }

    @Override
    public int classOf(int lid) {
        return lid >= 0 && lid < positionOfLid.length ? positionOfLid[lid] : Placement.NONE;
    }

    @Override
    public int classSl(int sourceClass, int destinationClass, int level) {
        return mode.unicastSl(shape.datelineBits(sourceClass, destinationClass), level * LEVEL_ONE_HINT);
    }

    @Override
    public boolean isKnownToAgree(PathSls other) {
        return other instanceof TorusSls torus && shape.equals(torus.shape) && mode == torus.mode;
    }
}
