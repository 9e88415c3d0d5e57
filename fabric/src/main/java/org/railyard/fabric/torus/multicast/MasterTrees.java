package org.railyard.fabric.torus.multicast;

import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.railyard.fabric.torus.grid.TorusGrid;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;

/**
 * Builds master trees that stay loop free beside unicast also when switches are missing (spec 30 §10.4): lines of the
 * tree only where a ring has all its switches; switches on a ring with a hole are leaves. Without missing switches the
 * first tree is OpenSM's.
 */
public final class MasterTrees {
    /** Most roots that are tried; the first is good unless cables are broken beside a missing switch. */
    private static final int MAX_ROOTS = 256;

    private MasterTrees() {}

    /**
     * Returns the complete trees of the best roots of {@code grid}, each built when it is asked for. A tree that
     * reaches not every switch is left out, so the stream may be empty.
     */
    public static Stream<MasterTree> of(TorusGrid grid) {
        return roots(grid).limit(MAX_ROOTS).mapToObj(root -> grow(grid, root)).flatMap(Optional::stream);
    }

    /** Returns roots: planes without a hole first, then rows, each from the middle out. */
    private static IntStream roots(TorusGrid grid) {
        TorusShape shape = grid.shape();
        boolean flat = shape.radix(0) == 1;
        return Stream.of(true, false)
                .flatMapToInt(whole -> MiddleOut.coordinates(shape.radix(2))
                        .filter(z -> UpstreamTree.planeHasAllSwitches(grid, z) == whole))
                .flatMap(z -> MiddleOut.coordinates(shape.radix(1))
                        .filter(y -> flat || grid.ringHasAllSwitches(shape.position(0, y, z), 0))
                        .flatMap(y -> MiddleOut.coordinates(shape.radix(0)).map(x -> shape.position(x, y, z))))
                .filter(grid::isPresent);
    }

    private static Optional<MasterTree> grow(TorusGrid grid, int root) {
        TorusShape shape = grid.shape();
        MasterTree.Builder tree = new MasterTree.Builder(grid, root);
        tree.line(root, 0);
        boolean flat = shape.radix(0) == 1;
        for (int i = 0; i < shape.radix(0); i++) {
            int inRow = shape.with(root, 0, i);
            if (flat || grid.ringHasAllSwitches(inRow, 1)) {
                tree.line(inRow, 1);
            }
        }
        int firstOfPlane = shape.with(shape.with(root, 0, 0), 1, 0);
        int perPlane = shape.radix(0) * shape.radix(1);
        for (int position = firstOfPlane; position < firstOfPlane + perPlane; position++) {
            if (grid.isPresent(position) && !tree.contains(position)) {
                hangFrom(grid, tree, position, 0, 1);
            }
        }
        for (int position = firstOfPlane; position < firstOfPlane + perPlane; position++) {
            if (tree.contains(position) && grid.ringHasAllSwitches(position, 2)) {
                tree.line(position, 2);
            }
        }
        grid.present().filter(position -> !tree.contains(position)).forEach(position -> {
            if (!hangFrom(grid, tree, position, 1, 2)) {
                hangFrom(grid, tree, position, 0, 2);
            }
        });
        return tree.isComplete() ? Optional.of(tree.build()) : Optional.empty();
    }

    /**
     * Hangs {@code leaf} from a neighbour in {@code dimension} whose ring in {@code wholeDimension} has all its
     * switches; the lower neighbour first, at coordinate 0 the higher one.
     */
    private static boolean hangFrom(
            TorusGrid grid, MasterTree.Builder tree, int leaf, int dimension, int wholeDimension) {
        TorusShape shape = grid.shape();
        int first = shape.coordinate(leaf, dimension) == 0 ? TorusGroup.plus(dimension) : TorusGroup.minus(dimension);
        return hang(grid, tree, leaf, first, wholeDimension)
                || hang(grid, tree, leaf, TorusGroup.opposite(first), wholeDimension);
    }

    private static boolean hang(TorusGrid grid, MasterTree.Builder tree, int leaf, int group, int wholeDimension) {
        int parent = grid.shape().step(leaf, group);
        return parent >= 0
                && tree.contains(parent)
                && grid.ringHasAllSwitches(parent, wholeDimension)
                && tree.hang(parent, TorusGroup.opposite(group));
    }
}
