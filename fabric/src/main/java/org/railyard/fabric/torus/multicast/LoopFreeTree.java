package org.railyard.fabric.torus.multicast;

import java.util.Optional;
import org.railyard.fabric.torus.grid.SlToVlRule;
import org.railyard.fabric.torus.grid.TorusDependencies;
import org.railyard.fabric.torus.grid.TorusGrid;

/** Chooses the master tree: the first that closes no credit loop beside unicast (spec 30 §10.4, step 5). */
public final class LoopFreeTree {
    private LoopFreeTree() {}

    /**
     * Returns the tree.
     *
     * @param apart multicast has VLs of its own, where any one tree is safe
     * @return empty if no tree reaches every switch without a loop
     */
    public static Optional<MasterTree> choose(
            TorusDependencies unicast, TorusGrid grid, SlToVlRule slToVl, boolean apart) {
        return MasterTrees.of(grid)
                .filter(tree -> apart || loopFree(unicast, grid, tree, slToVl))
                .findFirst();
    }

    /**
     * Returns the first tree, whatever else unicast may depend on.
     *
     * @param unicast at least what unicast depends on
     * @return empty if with these it closes a loop: then it is not known which tree is to be chosen
     */
    public static Optional<MasterTree> first(
            TorusDependencies unicast, TorusGrid grid, SlToVlRule slToVl, boolean apart) {
        return MasterTrees.of(grid).findFirst().filter(tree -> apart || loopFree(unicast, grid, tree, slToVl));
    }

    private static boolean loopFree(TorusDependencies unicast, TorusGrid grid, MasterTree tree, SlToVlRule slToVl) {
        TorusDependencies both = unicast.copy();
        MulticastDependencies.add(both, grid, tree, slToVl);
        return both.loop().isEmpty();
    }
}
