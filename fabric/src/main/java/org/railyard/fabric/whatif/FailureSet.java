package org.railyard.fabric.whatif;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import org.railyard.fabric.model.Fabric;

/**
 * Things that fail together.
 *
 * @param name what fails, for people
 * @param ports port indices whose cables go down; never changed
 */
public record FailureSet(String name, BitSet ports) {
    /** Returns a switch with all its cables. */
    public static FailureSet ofSwitch(Fabric fabric, int sw) {
        BitSet ports = new BitSet();
        ports.set(fabric.portIndex(sw, 0), fabric.portIndex(sw, fabric.ports(sw)) + 1);
        return new FailureSet(fabric.description(sw), ports);
    }

    /** Returns each switch, in the order of their numbers. */
    public static List<FailureSet> eachSwitch(Fabric fabric) {
        List<FailureSet> all = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            all.add(ofSwitch(fabric, sw));
        }
        return all;
    }

    /** Returns each cable between switches, by ascending port of its first end. */
    public static List<FailureSet> eachCable(Fabric fabric) {
        List<FailureSet> all = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int port : cablesOf(fabric, sw)) {
                int peer = fabric.peer(port);
                if (port < peer) {
                    BitSet ports = new BitSet();
                    ports.set(port);
                    all.add(new FailureSet(fabric.portName(port) + " - " + fabric.portName(peer), ports));
                }
            }
        }
        return all;
    }

    /** Returns the ports of a switch that lead to other switches. */
    public static List<Integer> cablesOf(Fabric fabric, int sw) {
        List<Integer> ports = new ArrayList<>();
        for (int number = 1; number <= fabric.ports(sw); number++) {
            int port = fabric.portIndex(sw, number);
            int peer = fabric.peer(port);
            if (peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer))) {
                ports.add(port);
            }
        }
        return ports;
    }

    /** Returns all of several sets as one. */
    public static FailureSet together(List<FailureSet> sets) {
        BitSet ports = new BitSet();
        sets.forEach(set -> ports.or(set.ports()));
        return new FailureSet(sets.stream().map(FailureSet::name).collect(Collectors.joining(" and ")), ports);
    }
}
