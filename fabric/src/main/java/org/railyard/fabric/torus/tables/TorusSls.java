package org.railyard.fabric.torus.tables;

import java.util.Arrays;
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
    private static final int NOT_YET = -1;

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

    @Override
    public void slSetsTo(int destinationClass, int[] sets) {
        int nx = shape.radix(0);
        byte[] inX = datelines(0, destinationClass);
        byte[] inY = datelines(1, destinationClass);
        byte[] inZ = datelines(2, destinationClass);
        int[] setOf = new int[1 << TorusShape.DIMENSIONS];
        for (int bits = 0; bits < setOf.length; bits++) {
            for (int level = 0; level < levels(); level++) {
                setOf[bits] |= 1 << mode.unicastSl(bits, level * LEVEL_ONE_HINT);
            }
        }
        // Most lines and planes of senders are like one before them, which is copied as a whole.
        int[] lineOf = new int[setOf.length];
        int[] planeOf = new int[setOf.length];
        Arrays.fill(planeOf, NOT_YET);
        int plane = nx * inY.length;
        for (int z = 0; z < inZ.length; z++) {
            int to = z * plane;
            if (planeOf[inZ[z]] != NOT_YET) {
                System.arraycopy(sets, planeOf[inZ[z]], sets, to, plane);
                continue;
            }
            planeOf[inZ[z]] = to;
            Arrays.fill(lineOf, NOT_YET);
            for (byte y : inY) {
                if (lineOf[y] != NOT_YET) {
                    System.arraycopy(sets, lineOf[y], sets, to, nx);
                } else {
                    lineOf[y] = to;
                    for (int x = 0; x < nx; x++) {
                        sets[to + x] = setOf[inX[x] | y | inZ[z]];
                    }
                }
                to += nx;
            }
        }
    }

    /** Returns the dateline bit of one dimension, by the coordinate of the sender. */
    private byte[] datelines(int dimension, int destinationClass) {
        byte[] bits = new byte[shape.radix(dimension)];
        int to = shape.coordinate(destinationClass, dimension);
        for (int from = 0; from < bits.length; from++) {
            bits[from] = (byte) (shape.wraps(dimension, from, to) ? 1 << dimension : 0);
        }
        return bits;
    }
}
