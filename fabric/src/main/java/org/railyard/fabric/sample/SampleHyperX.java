package org.railyard.fabric.sample;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;

/**
 * A HyperX to be made (Ahn et al. 2009): switches S-x.y… of which each two that differ in one coordinate are joined.
 * With one dimension it is a full mesh, with radix 2 throughout a hypercube.
 *
 * @param radices switches in each dimension
 * @param hosts hosts of a switch, from 0
 * @param cables cables between neighbours, from 1
 */
public record SampleHyperX(List<Integer> radices, int hosts, int cables) {
    /** Most dimensions. */
    public static final int MAX_DIMENSIONS = 16;

    /** Checks the numbers. */
    public SampleHyperX {
        radices = List.copyOf(radices);
        if (radices.isEmpty() || radices.size() > MAX_DIMENSIONS) {
            throw new FabricException(radices.size() + " dimensions: expected 1 to " + MAX_DIMENSIONS);
        }
        radices.forEach(radix -> SampleNetwork.check(radix, 1, Fabric.MAX_PORTS, "switches in a dimension"));
        SampleNetwork.check(hosts, 0, Fabric.MAX_PORTS, "hosts of a switch");
        SampleNetwork.check(cables, 1, Fabric.MAX_PORTS, "cables between neighbours");
    }

    /**
     * Returns switches and cables.
     *
     * @throws FabricException if a fabric cannot be so large, or a switch not have so many ports
     */
    public SampleNetwork network() {
        long switches = 1;
        for (int radix : radices) {
            switches = Math.min(Integer.MAX_VALUE, switches * radix);
        }
        SampleNetwork.checkSize(switches, switches * hosts);
        SampleNetwork network = new SampleNetwork();
        for (int sw = 0; sw < switches; sw++) {
            int at = sw;
            network.add(
                    IntStream.range(0, radices.size())
                            .mapToObj(dimension -> Integer.toString(at / step(dimension) % radices.get(dimension)))
                            .collect(Collectors.joining(".")),
                    hosts);
        }
        for (int dimension = 0; dimension < radices.size(); dimension++) {
            int step = step(dimension);
            int radix = radices.get(dimension);
            for (int sw = 0; sw < switches; sw++) {
                for (int to = sw / step % radix + 1, there = sw + step; to < radix; to++, there += step) {
                    network.connect(sw, there, cables);
                }
            }
        }
        return network;
    }

    /** Returns by how much the number of a switch grows with a coordinate: the last one is the fastest. */
    private int step(int dimension) {
        return radices.subList(dimension + 1, radices.size()).stream().reduce(1, (a, b) -> a * b);
    }
}
