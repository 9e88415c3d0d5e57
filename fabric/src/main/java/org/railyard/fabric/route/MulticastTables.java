package org.railyard.fabric.route;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Output ports of the switches for each multicast LID in use, and the SL of each group. Immutable. */
public final class MulticastTables {
    /** No groups. */
    public static final MulticastTables NONE = new MulticastTables(new TreeMap<>());

    private final SortedMap<Integer, Tree> trees;

    /** Takes a copy of the map from multicast LID to table. */
    public MulticastTables(SortedMap<Integer, Tree> trees) {
        this.trees = Collections.unmodifiableSortedMap(new TreeMap<>(trees));
    }

    /** Returns the multicast LIDs in use, ascending. */
    public Collection<Integer> mlids() {
        return trees.keySet();
    }

    /** Returns the table of a multicast LID, or null. */
    public @Nullable Tree tree(int mlid) {
        return trees.get(mlid);
    }

    /** The table of one multicast LID. Immutable. */
    public static final class Tree {
        private final int sl;
        private final PortMask[] ports;

        /**
         * Takes a copy.
         *
         * @param sl SL of the group, 0–15
         * @param ports by switch index
         */
        public Tree(int sl, PortMask[] ports) {
            this.sl = sl;
            this.ports = ports.clone();
        }

        /** Returns the same table of a group with another SL, 0–15. */
        public Tree withSl(int other) {
            return new Tree(other, ports);
        }

        /** Returns the SL of the group. */
        public int sl() {
            return sl;
        }

        /** Returns the ports of a switch; a packet leaves by all of them except the one it came by. */
        public PortMask ports(int switchIndex) {
            return ports[switchIndex];
        }
    }
}
