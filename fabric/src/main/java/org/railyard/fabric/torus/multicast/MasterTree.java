package org.railyard.fabric.torus.multicast;

import java.util.Arrays;
import java.util.BitSet;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;

/**
 * The spanning tree that all multicast groups use sub-trees of (spec 30 §10.1). Immutable; any thread.
 */
public final class MasterTree {
    private static final byte OUTSIDE = -2;

    private final TorusShape shape;
    private final int root;
    private final byte[] up;

    private MasterTree(TorusShape shape, int root, byte[] up) {
        this.shape = shape;
        this.root = root;
        this.up = up;
    }

    /** Returns the position of the root. */
    public int root() {
        return root;
    }

    /** Tells whether the switch at {@code position} is in the tree. */
    public boolean contains(int position) {
        return up[position] != OUTSIDE;
    }

    /**
     * Returns the sub-tree that joins {@code members}: by position, a bit for each group whose cable belongs to it. The
     * branches above the topmost fork stay as long as they lead to the root, as OpenSM keeps them.
     *
     * @param members positions with at least one member port; those outside the tree are ignored
     */
    public byte[] branches(BitSet members) {
        byte[] mask = new byte[up.length];
        for (int member = members.nextSetBit(0); member >= 0; member = members.nextSetBit(member + 1)) {
            if (!contains(member)) {
                continue;
            }
            int at = member;
            while (at != root && (mask[at] & 1 << up[at]) == 0) {
                mask[at] |= (byte) (1 << up[at]);
                int above = shape.step(at, up[at]);
                mask[above] |= (byte) (1 << TorusGroup.opposite(up[at]));
                at = above;
            }
        }
        return mask;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MasterTree that
                && shape.equals(that.shape)
                && root == that.root
                && Arrays.equals(up, that.up);
    }

    @Override
    public int hashCode() {
        return 31 * root + Arrays.hashCode(up);
    }

    /** Grows a tree line by line. Not thread safe. */
    static final class Builder {
        private final TorusGrid grid;
        private final TorusShape shape;
        private final int root;
        private final byte[] up;

        /** Starts with the root alone. */
        Builder(TorusGrid grid, int root) {
            this.grid = grid;
            this.shape = grid.shape();
            this.root = root;
            this.up = new byte[shape.positions()];
            Arrays.fill(up, OUTSIDE);
            up[root] = TorusGroup.NONE;
        }

        boolean contains(int position) {
            return up[position] != OUTSIDE;
        }

        /**
         * Hangs the neighbour of {@code parent} in {@code group} into the tree if a cable leads there and it is not yet
         * in.
         */
        boolean hang(int parent, int group) {
            if (!grid.isCabled(parent, group)) {
                return false;
            }
            int child = shape.step(parent, group);
            if (contains(child)) {
                return false;
            }
            up[child] = (byte) TorusGroup.opposite(group);
            return true;
        }

        /**
         * Grows both ways from {@code from} along {@code dimension} to the dateline; if a gap stops one side, the other
         * goes on over the dateline. On a ring with a gap that cannot close the ring.
         */
        void line(int from, int dimension) {
            int low = grow(from, TorusGroup.minus(dimension), shape.coordinate(from, dimension));
            int high = grow(
                    from, TorusGroup.plus(dimension), shape.radix(dimension) - 1 - shape.coordinate(from, dimension));
            boolean lowArrived = shape.coordinate(low, dimension) == 0;
            boolean highArrived = shape.coordinate(high, dimension) == shape.radix(dimension) - 1;
            if (lowArrived && !highArrived) {
                grow(low, TorusGroup.minus(dimension), shape.radix(dimension));
            } else if (highArrived && !lowArrived) {
                grow(high, TorusGroup.plus(dimension), shape.radix(dimension));
            }
        }

        private int grow(int from, int group, int steps) {
            int at = from;
            for (int i = 0; i < steps && hang(at, group); i++) {
                at = shape.step(at, group);
            }
            return at;
        }

        /** Tells whether every switch of the grid is in the tree. */
        boolean isComplete() {
            return grid.present().allMatch(this::contains);
        }

        /** Returns the tree as it is now. */
        MasterTree build() {
            return new MasterTree(shape, root, up.clone());
        }
    }
}
