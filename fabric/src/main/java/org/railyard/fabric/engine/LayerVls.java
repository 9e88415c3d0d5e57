package org.railyard.fabric.engine;

import java.util.Arrays;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.VlCodes;
import org.railyard.fabric.route.SlToVl;

/**
 * VLs of layers: between switches that of the layer, which is the SL; towards end ports and from them as many as their
 * link has, since no packet waits there for one that goes on.
 */
final class LayerVls implements SlToVl {
    private static final int SLS = 16;

    private final Fabric fabric;
    private final long between;
    /** By port of a switch that an end port is behind, and by end port; 0 for all others. */
    private final long[] ends;

    LayerVls(Fabric fabric, int layers, int maxOpVls) {
        this.fabric = fabric;
        between = vls(layers);
        ends = new long[fabric.portCount()];
        for (int port = 0; port < ends.length; port++) {
            int peer = fabric.peer(port);
            if (peer != Fabric.NONE
                    && !(fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.nodeOf(peer)))) {
                int code = Math.min(maxOpVls, Math.min(fabric.vlCap(port), fabric.vlCap(peer)));
                ends[port] = vls(Math.min(layers, VlCodes.count(code)));
            } else {
                ends[port] = between;
            }
        }
    }

    private static long vls(int count) {
        int[] vls = new int[SLS];
        Arrays.setAll(vls, sl -> sl % count);
        return SlToVl.pack(vls);
    }

    @Override
    public long table(int switchIndex, int in, int out) {
        return out == 0 ? between : ends[fabric.portIndex(switchIndex, out)];
    }

    @Override
    public long endTable(int endPort) {
        return ends[endPort];
    }
}
