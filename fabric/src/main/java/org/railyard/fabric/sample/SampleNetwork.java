package org.railyard.fabric.sample;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.FabricBuilder.NodeBuilder;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.model.NodeType;

/**
 * Switches, their hosts and the cables between them, to be made into a fabric: what all shapes have in common. Switches
 * are S-LABEL, hosts H-LABEL.n; the ports of a switch are its hosts', then those of its cables in the order in which
 * they were laid. GUIDs and ports do not depend on what is missing. Immutable once handed out.
 */
public final class SampleNetwork {
    private static final long FIRST_CA_GUID = 0x100000;
    private static final long FIRST_SWITCH_GUID = 0x200000;
    /** GUIDs that a CA takes. */
    private static final long CA_GUIDS = 0x10;

    private static final long FIRST_CA_GUID_OF_MANY = 0x1000000;

    /** Most cables between switches. */
    private static final int MAX_CABLES = 2_000_000;

    private final List<String> labels = new ArrayList<>();
    private final Map<String, Integer> byName = new LinkedHashMap<>();
    private final List<Integer> hosts = new ArrayList<>();
    private final List<Integer> lastPort = new ArrayList<>();
    private final List<Cable> cables = new ArrayList<>();

    private record Cable(int a, int portA, int b, int portB) {}

    /**
     * Two switches between which the cables are missing, in any order.
     *
     * @param a name of one, such as S-1.0.2
     * @param b name of the other
     */
    public record Gap(String a, String b) {}

    SampleNetwork() {}

    /** Adds a switch; returns its number, from 0 on. */
    int add(String label, int hostsThere) {
        labels.add(label);
        byName.put("S-" + label, labels.size() - 1);
        hosts.add(hostsThere);
        lastPort.add(hostsThere);
        return labels.size() - 1;
    }

    /** Lays cables between two switches, on the next ports of both. */
    void connect(int a, int b, int count) {
        for (int i = 0; i < count; i++) {
            if (cables.size() == MAX_CABLES) {
                throw new FabricException("more than " + MAX_CABLES + " cables between switches");
            }
            cables.add(new Cable(a, nextPort(a), b, nextPort(b)));
        }
    }

    private int nextPort(int sw) {
        int port = lastPort.get(sw) + 1;
        if (port > Fabric.MAX_PORTS) {
            throw new FabricException("S-%s would have more than %d ports".formatted(labels.get(sw), Fabric.MAX_PORTS));
        }
        lastPort.set(sw, port);
        return port;
    }

    /** Checks a number of a plan. */
    static void check(int count, int min, int max, String what) {
        if (count < min || count > max) {
            throw new FabricException("%d %s: expected %d to %d".formatted(count, what, min, max));
        }
    }

    /**
     * Checks a size before anything is made.
     *
     * @throws FabricException if it is more than a fabric may have
     */
    static void checkSize(long switches, long hosts) {
        if (switches + hosts > Fabric.MAX_NODES) {
            throw new FabricException(
                    "%d switches and %d hosts: at most %d nodes in all".formatted(switches, hosts, Fabric.MAX_NODES));
        }
    }

    /** Returns how many switches there are if nothing is missing. */
    public int switches() {
        return labels.size();
    }

    /** Returns the fabric where nothing is missing, without LIDs. */
    public Fabric fabric() {
        return fabric(Set.of(), Set.of());
    }

    /**
     * Returns the fabric without some switches, their hosts and cables, and without the cables of some pairs; it has no
     * LIDs.
     *
     * @param missing names of switches
     * @param cut pairs of switches
     * @throws FabricException if there is no such switch, or no cable between the switches of a pair
     */
    public Fabric fabric(Set<String> missing, Set<Gap> cut) {
        Set<Integer> gone = new LinkedHashSet<>();
        missing.forEach(name -> gone.add(number(name)));
        Map<Long, Gap> unknown = new TreeMap<>();
        cut.forEach(gap -> unknown.put(pair(number(gap.a), number(gap.b)), gap));
        Set<Long> gaps = Set.copyOf(unknown.keySet());
        FabricBuilder builder = new FabricBuilder();
        Map<Integer, NodeBuilder> nodes = nodes(builder, gone);
        for (Cable cable : cables) {
            NodeBuilder a = nodes.get(cable.a);
            NodeBuilder b = nodes.get(cable.b);
            if (a != null && b != null) {
                long pair = pair(cable.a, cable.b);
                unknown.remove(pair);
                if (!gaps.contains(pair)) {
                    builder.connect(a, cable.portA, b, cable.portB);
                }
            }
        }
        unknown.values().stream().findFirst().ifPresent(gap -> {
            throw new FabricException(
                    "no cable joins %s and %s: expected neighbours, both there".formatted(gap.a, gap.b));
        });
        return builder.build();
    }

    private Map<Integer, NodeBuilder> nodes(FabricBuilder builder, Set<Integer> gone) {
        long all = hosts.stream().mapToLong(Integer::longValue).sum();
        long ca = all * CA_GUIDS <= FIRST_SWITCH_GUID - FIRST_CA_GUID ? FIRST_CA_GUID : FIRST_CA_GUID_OF_MANY;
        Map<Integer, NodeBuilder> nodes = new LinkedHashMap<>();
        for (int i = 0; i < labels.size(); i++) {
            if (!gone.contains(i)) {
                int ports = Math.max(1, lastPort.get(i));
                NodeBuilder sw = builder.node(NodeType.SWITCH, FIRST_SWITCH_GUID + i, ports, "S-" + labels.get(i));
                nodes.put(i, sw);
                for (int host = 0; host < hosts.get(i); host++) {
                    String name = "H-%s.%d".formatted(labels.get(i), host);
                    builder.connect(builder.node(NodeType.CA, ca + host * CA_GUIDS, 1, name), 1, sw, host + 1);
                }
            }
            ca += hosts.get(i) * CA_GUIDS;
        }
        return nodes;
    }

    private int number(String name) {
        Integer found = byName.get(name);
        if (found == null) {
            throw new FabricException("there is no switch %s: they are S-%s to S-%s"
                    .formatted(name, labels.getFirst(), labels.getLast()));
        }
        return found;
    }

    private static long pair(int a, int b) {
        return (long) Math.min(a, b) << 32 | Math.max(a, b);
    }
}
