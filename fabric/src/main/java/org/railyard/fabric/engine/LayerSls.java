package org.railyard.fabric.engine;

import org.railyard.fabric.route.PathSls;

/** SLs that follow from the destination alone: the number of its layer. */
record LayerSls(byte[] layerOfLid, int layers) implements PathSls {
    @Override
    public int levels() {
        return 1;
    }

    @Override
    public int classes() {
        return layers;
    }

    @Override
    public int classOf(int lid) {
        return lid >= 0 && lid < layerOfLid.length ? layerOfLid[lid] : -1;
    }

    @Override
    public int classSl(int sourceClass, int destinationClass, int level) {
        return destinationClass;
    }
}
