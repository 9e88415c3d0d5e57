package org.railyard.fabric.engine;

import org.railyard.fabric.route.PathSls;

/**
 * SLs that are layers, by the switch of the sender and the ways of the destination.
 *
 * @param classOfLid by LID: the ways by which it is reached, −1 = none; each has those of one switch
 * @param switchOfClass by ways: their switch
 * @param layer by switch of the sender and ways: the layer, or {@link PathSls#NO_SL}
 */
record LayeredSls(int[] classOfLid, int[] switchOfClass, byte[][] layer) implements PathSls {
    @Override
    public int levels() {
        return 1;
    }

    @Override
    public int classes() {
        return switchOfClass.length;
    }

    @Override
    public int classOf(int lid) {
        return lid >= 0 && lid < classOfLid.length ? classOfLid[lid] : -1;
    }

    @Override
    public int classSl(int sourceClass, int destinationClass, int level) {
        return layer[switchOfClass[sourceClass]][destinationClass];
    }
}
