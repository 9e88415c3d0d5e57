package org.railyard.fabric.torus.grid;

import java.util.Arrays;

/**
 * How many flows use each channel and each dependency, and how much traffic each cable carries; or by how much that
 * changes. Not thread safe.
 */
final class FlowCounts {
    /** Channels of a switch, and successors of a channel. */
    static final int CHANNELS = TorusGroup.COUNT * TorusDependencies.VLS;

    /** By channel and successor: flows. */
    final int[] dependencies;
    /** By channel: flows. */
    final int[] channels;
    /** By position and group: pairs of end ports. */
    final long[] pairs;
    /** By number of hops between switches: pairs of end ports. */
    final long[] hops;

    FlowCounts(TorusShape shape) {
        channels = new int[shape.positions() * CHANNELS];
        dependencies = new int[channels.length * CHANNELS];
        pairs = new long[shape.positions() * TorusGroup.COUNT];
        hops = new long[shape.positions() + 1];
    }

    void clear() {
        Arrays.fill(dependencies, 0);
        Arrays.fill(channels, 0);
        Arrays.fill(pairs, 0);
        Arrays.fill(hops, 0);
    }
}
