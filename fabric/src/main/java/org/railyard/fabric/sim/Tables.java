package org.railyard.fabric.sim;

import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/** What each switch and end port has been told; switches may have tables of different age. */
final class Tables {
    private final Fabric fabric;
    private final ForwardingTables[] forwarding;

    /** By switch, then input · (ports + 1) + output. */
    private final long[][] slToVl;

    private SlToVl ends;

    Tables(Fabric fabric, Routing routing) {
        this.fabric = fabric;
        this.forwarding = new ForwardingTables[fabric.switchCount()];
        this.slToVl = new long[fabric.switchCount()][];
        this.ends = routing.slToVl();
        for (int sw = 0; sw < forwarding.length; sw++) {
            setSwitch(sw, routing);
        }
    }

    void setSwitch(int sw, Routing routing) {
        if (routing.forwarding().switches() != forwarding.length) {
            throw new IllegalArgumentException("tables of %d switches, fabric of %d"
                    .formatted(routing.forwarding().switches(), forwarding.length));
        }
        int ports = fabric.ports(sw) + 1;
        long[] rows = new long[ports * ports];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = routing.slToVl().table(sw, i / ports, i % ports);
        }
        slToVl[sw] = rows;
        forwarding[sw] = routing.forwarding();
    }

    void setEnds(Routing routing) {
        ends = routing.slToVl();
    }

    /** Returns the output port of a switch, 0 if there is none that leads out. */
    int output(int sw, int lid) {
        int output = forwarding[sw].port(sw, lid);
        return output <= fabric.ports(sw) ? output : 0;
    }

    int vl(int sw, int input, int output, int sl) {
        return SlToVl.vl(slToVl[sw][input * (fabric.ports(sw) + 1) + output], sl);
    }

    int endVl(int port, int sl) {
        return SlToVl.vl(ends.endTable(port), sl);
    }
}
