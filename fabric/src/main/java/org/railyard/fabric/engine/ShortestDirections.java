package org.railyard.fabric.engine;

/** Every cable that brings a packet one hop nearer. */
final class ShortestDirections implements Directions {
    private final CableGraph graph;
    private int[] hops = {};

    ShortestDirections(CableGraph graph) {
        this.graph = graph;
    }

    @Override
    public int turnTo(int target) {
        hops = graph.hopsTo(target);
        for (int sw = 0; sw < hops.length; sw++) {
            if (hops[sw] < 0 && graph.isLive(sw)) {
                return sw;
            }
        }
        return -1;
    }

    @Override
    public boolean leads(int from, int neighbour) {
        return hops[neighbour] == hops[from] - 1;
    }
}
