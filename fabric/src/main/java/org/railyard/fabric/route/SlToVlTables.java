package org.railyard.fabric.route;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.railyard.fabric.model.Fabric;

/** SL to VL as it was read, table by table. What nobody told has a default table. Immutable. */
public final class SlToVlTables implements SlToVl {
    private final long[][] bySwitch;
    private final BitSet[] known;
    private final int[] ports;
    private final long[] byEndPort;
    private final BitSet knownEnds;

    private SlToVlTables(Builder made) {
        this.bySwitch = made.bySwitch;
        this.known = made.known;
        this.ports = made.ports;
        this.byEndPort = made.byEndPort;
        this.knownEnds = made.knownEnds;
    }

    @Override
    public long table(int switchIndex, int in, int out) {
        return bySwitch[switchIndex][at(ports, switchIndex, in, out)];
    }

    @Override
    public long endTable(int endPort) {
        return byEndPort[endPort];
    }

    /** Returns whether the table of a switch was told. */
    public boolean isKnown(int switchIndex, int in, int out) {
        return known[switchIndex].get(at(ports, switchIndex, in, out));
    }

    /**
     * A table of a switch that nobody told.
     *
     * @param switchIndex the switch
     * @param in input port
     * @param out output port
     */
    public record Untold(int switchIndex, int in, int out) {}

    /**
     * Returns the tables that packets need and nobody told, by switch, output and input: packets go from port 0 or a
     * cable to a cable.
     *
     * @param fabric that of the tables
     */
    public List<Untold> untold(Fabric fabric) {
        List<Untold> untold = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int out = 1; out <= fabric.ports(sw); out++) {
                for (int in = 0; in <= fabric.ports(sw) && hasCable(fabric, sw, out); in++) {
                    if ((in == 0 || hasCable(fabric, sw, in)) && !isKnown(sw, in, out)) {
                        untold.add(new Untold(sw, in, out));
                    }
                }
            }
        }
        return untold;
    }

    private static boolean hasCable(Fabric fabric, int sw, int port) {
        return fabric.peer(fabric.portIndex(sw, port)) != Fabric.NONE;
    }

    /** Returns whether the table of an end port that is not on a switch was told. */
    public boolean isEndKnown(int endPort) {
        return knownEnds.get(endPort);
    }

    private static int at(int[] ports, int sw, int in, int out) {
        return out * (ports[sw] + 1) + in;
    }

    /** Collects tables; to be used once, by one thread. */
    public static final class Builder {
        private final long[][] bySwitch;
        private final BitSet[] known;
        private final int[] ports;
        private final long[] byEndPort;
        private final BitSet knownEnds = new BitSet();

        /** Makes one of a fabric, with a table for what will not be told. */
        public Builder(Fabric fabric, long missing) {
            bySwitch = new long[fabric.switchCount()][];
            known = new BitSet[bySwitch.length];
            ports = new int[bySwitch.length];
            for (int sw = 0; sw < bySwitch.length; sw++) {
                ports[sw] = fabric.ports(sw);
                bySwitch[sw] = new long[(ports[sw] + 1) * (ports[sw] + 1)];
                known[sw] = new BitSet(bySwitch[sw].length);
                Arrays.fill(bySwitch[sw], missing);
            }
            byEndPort = new long[fabric.portCount()];
            Arrays.fill(byEndPort, missing);
        }

        /** Notes the table of a switch, from an input to an output port. */
        public void set(int sw, int in, int out, long table) {
            bySwitch[sw][at(ports, sw, in, out)] = table;
            known[sw].set(at(ports, sw, in, out));
        }

        /** Notes the table of an end port, by its port index in the fabric. */
        public void setEnd(int port, long table) {
            byEndPort[port] = table;
            knownEnds.set(port);
        }

        /** Returns the tables. */
        public SlToVlTables build() {
            return new SlToVlTables(this);
        }
    }
}
