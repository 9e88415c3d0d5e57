package org.railyard.fabric.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Deals ways to layers, each to the first whose dependencies it closes no cycle with (LASH: Skeie, Lysne, Theiss 2002).
 * A layer is a VL.
 */
final class PathLayers {
    /** No layer took the way. */
    static final int NONE = -1;

    private final Channels channels;
    private final List<DependencyOrder> layers = new ArrayList<>();
    private final IntFunction<DependencyOrder> empty;
    /** Layers in the order in which they are tried. */
    private final int[] order;

    private int used;

    /**
     * Begins.
     *
     * @param order numbers of layers in the order in which they are tried
     * @param empty makes a layer of a number, when it is needed first
     */
    PathLayers(Channels channels, int[] order, IntFunction<DependencyOrder> empty) {
        this.channels = channels;
        this.order = order.clone();
        this.empty = empty;
    }

    /** Returns how many layers have been begun. */
    int used() {
        return used;
    }

    /**
     * Finds a layer for a way.
     *
     * @param start switch that sends
     * @param next by switch the channel it sends by, −1 at the end
     * @param most how many layers may be begun
     * @return number of the layer, or {@link #NONE}
     */
    int place(int start, int[] next, int most) {
        for (int i = 0; i < most; i++) {
            if (i == used) {
                layers.add(empty.apply(order[i]));
                used++;
            }
            if (takes(layers.get(i), start, next)) {
                return order[i];
            }
        }
        return NONE;
    }

    private boolean takes(DependencyOrder layer, int start, int[] next) {
        int mark = layer.mark();
        int channel = next[start];
        while (next[channels.to(channel)] >= 0) {
            int following = next[channels.to(channel)];
            if (!layer.add(channel, following)) {
                layer.undo(mark);
                return false;
            }
            channel = following;
        }
        layer.keep();
        return true;
    }
}
