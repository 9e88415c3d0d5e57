package org.railyard.fabric.format;

import java.util.Arrays;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.SlToVl;

/** SL to VL as read from a file. What the file does not tell has a default table. */
final class SlToVlTables implements SlToVl {
    private final long[][] bySwitch;
    private final int[] ports;
    private final long[] byEndPort;

    private SlToVlTables(long[][] bySwitch, int[] ports, long[] byEndPort) {
        this.bySwitch = bySwitch;
        this.ports = ports;
        this.byEndPort = byEndPort;
    }

    @Override
    public long table(int switchIndex, int in, int out) {
        return bySwitch[switchIndex][out * (ports[switchIndex] + 1) + in];
    }

    @Override
    public long endTable(int endPort) {
        return byEndPort[endPort];
    }

    /** Collects tables; to be used once. */
    static final class Builder {
        private final long[][] bySwitch;
        private final int[] ports;
        private final long[] byEndPort;

        Builder(Fabric fabric, long missing) {
            bySwitch = new long[fabric.switchCount()][];
            ports = new int[bySwitch.length];
            for (int sw = 0; sw < bySwitch.length; sw++) {
                ports[sw] = fabric.ports(sw);
                bySwitch[sw] = new long[(ports[sw] + 1) * (ports[sw] + 1)];
                Arrays.fill(bySwitch[sw], missing);
            }
            byEndPort = new long[fabric.portCount()];
            Arrays.fill(byEndPort, missing);
        }

        void set(int sw, int in, int out, long table) {
            bySwitch[sw][out * (ports[sw] + 1) + in] = table;
        }

        void setEnd(int port, long table) {
            byEndPort[port] = table;
        }

        SlToVl build() {
            return new SlToVlTables(bySwitch, ports, byEndPort);
        }
    }
}
