package org.railyard.fabric.torus.tables;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.torus.placement.Placement;

/**
 * The end ports behind each switch of the torus in the order in which they are spread over parallel cables: positions
 * in a given order, within one the {@code port_order} (spec 30 §7). Immutable.
 */
public final class EndPortOrder {
    /** By entry: position of the switch that serves the port. */
    final int[] position;
    /** By entry: number of the switch port behind which it is, 0 for the management port. */
    final int[] switchPort;
    /** By entry: base LID. */
    final int[] lid;
    /** By entry: LMC. */
    final int[] lmc;

    private EndPortOrder(int count) {
        position = new int[count];
        switchPort = new int[count];
        lid = new int[count];
        lmc = new int[count];
    }

    int count() {
        return lid.length;
    }

    /**
     * Returns the end ports that have a LID.
     *
     * @param positions the positions with a switch, in the order in which their end ports come
     */
    public static EndPortOrder of(Fabric fabric, Placement placement, int[] positions, List<Integer> portOrder) {
        List<int[]> entries = new ArrayList<>();
        int[] order = complete(portOrder);
        for (int position : positions) {
            int at = placement.switchAt(position);
            for (int port : order) {
                int end = port > fabric.ports(at) ? Fabric.NONE : endPort(fabric, at, port);
                if (end != Fabric.NONE && fabric.lid(end) != 0) {
                    entries.add(new int[] {position, port, end});
                }
            }
        }
        EndPortOrder ends = new EndPortOrder(entries.size());
        for (int i = 0; i < ends.count(); i++) {
            int[] entry = entries.get(i);
            ends.position[i] = entry[0];
            ends.switchPort[i] = entry[1];
            ends.lid[i] = fabric.lid(entry[2]);
            ends.lmc[i] = fabric.lmc(entry[2]);
        }
        return ends;
    }

    /** Returns the port index of the end port behind a switch port, itself for port 0; NONE if there is none. */
    private static int endPort(Fabric fabric, int at, int port) {
        int index = fabric.portIndex(at, port);
        if (port == 0) {
            return index;
        }
        int peer = fabric.peer(index);
        return peer == Fabric.NONE || fabric.isSwitch(fabric.nodeOf(peer)) ? Fabric.NONE : peer;
    }

    private static int[] complete(List<Integer> portOrder) {
        SequencedSet<Integer> order = new LinkedHashSet<>(portOrder);
        for (int port = 0; port <= Fabric.MAX_PORTS; port++) {
            order.add(port);
        }
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Returns what breaks {@code port_order} and {@code portgroup_max_ports}, with OpenSM's codes. */
    public static List<Refusal.Reason> problems(Fabric fabric, Placement placement, TorusConf conf) {
        List<Refusal.Reason> problems = new ArrayList<>();
        portOrder(fabric, conf.portOrder(), problems);
        TorusShape shape = conf.shape();
        for (int position = 0; position < shape.positions(); position++) {
            int at = placement.switchAt(position);
            if (at == Placement.NONE) {
                continue;
            }
            int ends = 0;
            for (int port = 0; port <= fabric.ports(at); port++) {
                ends += endPort(fabric, at, port) == Fabric.NONE ? 0 : 1;
            }
            if (ends > conf.portgroupMaxPorts()) {
                problems.add(tooMany("4E1E", fabric.description(at), ends, "end ports, port 0 included", conf));
            }
            for (int group = 0; group < TorusGroup.COUNT; group++) {
                if (placement.cables(position, group) > conf.portgroupMaxPorts()) {
                    String what = "cables in direction " + TorusGroup.name(group);
                    problems.add(
                            tooMany("4E18", fabric.description(at), placement.cables(position, group), what, conf));
                }
            }
        }
        return problems;
    }

    private static Refusal.Reason tooMany(String code, String name, int count, String what, TorusConf conf) {
        return new Refusal.Reason(
                code,
                name + " has " + count + " " + what + ", more than portgroup_max_ports " + conf.portgroupMaxPorts()
                        + "; set portgroup_max_ports to " + count);
    }

    /**
     * OpenSM takes the first P + 1 entries of the completed order for a switch with P ports, and all of them must
     * exist.
     */
    private static void portOrder(Fabric fabric, List<Integer> portOrder, List<Refusal.Reason> problems) {
        int[] order = complete(portOrder);
        int fine = 0;
        for (int at = 0; at < fabric.switchCount(); at++) {
            int last = fabric.ports(at);
            // Most switches have as many ports as the one before.
            int wrong = last == fine ? 0 : firstAbove(last, order);
            if (wrong > 0) {
                problems.add(new Refusal.Reason(
                        "4E21",
                        "port_order names port " + wrong + ", but " + fabric.description(at) + " has " + last
                                + " ports"));
                return;
            }
            fine = last;
        }
    }

    /** Returns the first port number above the last one among the entries that OpenSM takes, 0 if there is none. */
    private static int firstAbove(int last, int[] order) {
        return Arrays.stream(order, 0, last + 1)
                .filter(port -> port > last)
                .findFirst()
                .orElse(0);
    }
}
