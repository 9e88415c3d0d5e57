package org.railyard.fabric.golden;

import java.util.Arrays;
import java.util.List;
import org.railyard.fabric.format.TorusDump;
import org.railyard.fabric.format.TorusDump.Place;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;

/**
 * The SLs of torus-2QoS, from where OpenSM placed the switches (spec 30 §4, §5). One class per switch, one QoS level.
 */
public final class TorusSls implements PathSls {
    private final Fabric fabric;
    private final int[][] coordinates;
    private final int[] radices;

    /** Takes the places of all switches of the fabric. */
    public TorusSls(Fabric fabric, TorusDump dump, List<Integer> radices) {
        this.fabric = fabric;
        this.radices = radices.stream().mapToInt(Integer::intValue).toArray();
        coordinates = new int[fabric.switchCount()][3];
        for (Place place : dump.places()) {
            coordinates[fabric.nodeOfGuid(place.guid())] = new int[] {place.x(), place.y(), place.z()};
        }
    }

    /** Returns the switch at a position, or {@link Fabric#NONE}. */
    public int at(int... position) {
        for (int sw = 0; sw < coordinates.length; sw++) {
            if (Arrays.equals(coordinates[sw], position)) {
                return sw;
            }
        }
        return Fabric.NONE;
    }

    @Override
    public int levels() {
        return 1;
    }

    @Override
    public int classes() {
        return coordinates.length;
    }

    @Override
    public int classOf(int lid) {
        int port = fabric.portOfLid(lid);
        return port == Fabric.NONE ? -1 : fabric.switchOf(port);
    }

    @Override
    public int classSl(int sourceClass, int destinationClass, int level) {
        int sl = 0;
        for (int d = 0; d < 3; d++) {
            int direct = Math.abs(coordinates[sourceClass][d] - coordinates[destinationClass][d]);
            sl |= direct > radices[d] - direct ? 1 << d : 0;
        }
        return sl;
    }
}
