package org.railyard.fabric.sample;

import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;

/**
 * A dragonfly to be made (Kim et al. 2008): groups in which each switch has a cable to each other, and cables between
 * each two groups, which are dealt to the switches of a group in turn. Switch s of group g is S-g.s.
 *
 * @param groups groups, from 1
 * @param switches switches in a group, from 1
 * @param hosts hosts of a switch, from 0
 * @param global cables of a switch to other groups; 0: as few as give each two groups a cable
 */
public record SampleDragonfly(int groups, int switches, int hosts, int global) {
    private static final int MAX_GROUPS = 64_770;
    /** Checks the numbers. */
    public SampleDragonfly {
        SampleNetwork.check(groups, 1, MAX_GROUPS, "groups");
        SampleNetwork.check(switches, 1, Fabric.MAX_PORTS, "switches in a group");
        SampleNetwork.check(hosts, 0, Fabric.MAX_PORTS, "hosts of a switch");
        SampleNetwork.check(global, 0, Fabric.MAX_PORTS, "cables of a switch to other groups");
        if (global > 0 && global * switches < groups - 1) {
            throw new FabricException("a group has %d cables to %d others: some would have none"
                    .formatted(global * switches, groups - 1));
        }
    }

    /**
     * Returns switches and cables. Cables that do not go round all groups evenly are left out.
     *
     * @throws FabricException if a fabric cannot be so large, or a switch not have so many ports
     */
    public SampleNetwork network() {
        SampleNetwork.checkSize((long) groups * switches, (long) groups * switches * hosts);
        SampleNetwork network = new SampleNetwork();
        for (int group = 0; group < groups; group++) {
            for (int sw = 0; sw < switches; sw++) {
                network.add(group + "." + sw, hosts);
            }
        }
        for (int group = 0; group < groups; group++) {
            for (int a = 0; a < switches; a++) {
                for (int b = a + 1; b < switches; b++) {
                    network.connect(group * switches + a, group * switches + b, 1);
                }
            }
        }
        int others = groups - 1;
        int rounds = others == 0 ? 0 : Math.max(1, global * switches / others);
        for (int round = 0; round < rounds; round++) {
            for (int ahead = 1; ahead <= others; ahead++) {
                for (int group = 0; group < groups - ahead; group++) {
                    // The same cable is number "ahead" of one group and number "groups - ahead" of the other.
                    int here = (round * others + ahead - 1) % switches;
                    int there = (round * others + others - ahead) % switches;
                    network.connect(group * switches + here, (group + ahead) * switches + there, 1);
                }
            }
        }
        return network;
    }
}
