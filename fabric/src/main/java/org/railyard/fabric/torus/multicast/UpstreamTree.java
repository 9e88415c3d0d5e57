package org.railyard.fabric.torus.multicast;

import java.util.Optional;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusShape;

/**
 * The master tree that OpenSM builds (spec 30 §10.2). It can close a credit loop with unicast when a switch is missing,
 * so it is never used for tables; whether it exists is part of OpenSM's verdict, and what it would do is part of
 * showing the difference.
 */
public final class UpstreamTree {
    private UpstreamTree() {}

    /** Returns OpenSM's tree, or empty if it finds no root or cannot reach every switch. */
    public static Optional<MasterTree> of(TorusGrid grid) {
        int root = root(grid);
        if (root < 0) {
            return Optional.empty();
        }
        TorusShape shape = grid.shape();
        MasterTree.Builder tree = new MasterTree.Builder(grid, root);
        tree.line(root, 0);
        for (int i = 0; i < shape.radix(0); i++) {
            int inRow = shape.with(root, 0, i);
            if (!tree.contains(inRow)) {
                continue;
            }
            tree.line(inRow, 1);
            for (int j = 0; j < shape.radix(1); j++) {
                int inPlane = shape.with(inRow, 1, j);
                if (tree.contains(inPlane)) {
                    tree.line(inPlane, 2);
                }
            }
        }
        return tree.isComplete() ? Optional.of(tree.build()) : Optional.empty();
    }

    private static int root(TorusGrid grid) {
        int middle = grid.shape().radix(2) / 2;
        int depth = grid.shape().radix(2);
        for (int attempt = 0; attempt < 2 * depth; attempt++) {
            int plane = Math.floorMod(middle + MiddleOut.offset(attempt), depth);
            if (planeHasAllSwitches(grid, plane)) {
                return rootInPlane(grid, plane);
            }
        }
        return rootInPlane(grid, middle);
    }

    private static int rootInPlane(TorusGrid grid, int z) {
        TorusShape shape = grid.shape();
        int longest = Math.max(shape.radix(0), shape.radix(1));
        for (int attempt = 0; attempt < 2 * longest; attempt++) {
            int offset = MiddleOut.offset(attempt);
            int candidate = shape.position(shape.radix(0) / 2 + offset, shape.radix(1) / 2 + offset, z);
            if (grid.ringHasAllSwitches(candidate, 0) && grid.ringHasAllSwitches(candidate, 1)) {
                return candidate;
            }
        }
        return -1;
    }

    /** Tells whether the plane {@code z} has a switch at every position. */
    static boolean planeHasAllSwitches(TorusGrid grid, int z) {
        TorusShape shape = grid.shape();
        int perPlane = shape.radix(0) * shape.radix(1);
        for (int position = z * perPlane; position < (z + 1) * perPlane; position++) {
            if (!grid.isPresent(position)) {
                return false;
            }
        }
        return true;
    }
}
