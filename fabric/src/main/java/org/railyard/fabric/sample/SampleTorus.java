package org.railyard.fabric.sample;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.FabricBuilder.NodeBuilder;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.model.NodeType;

/**
 * A torus or mesh to be made: switches S-x.y.z, hosts H-x.y.z.n, ports in the order hosts, −x, +x, −y, +y, −z, +z.
 *
 * @param radices switches in x, y, z; 1 = the dimension is absent
 * @param open dimensions (0 = x) that do not close to a ring
 * @param hosts hosts per switch, from 0
 * @param cables cables between neighbours, from 1
 * @param missing positions without switch
 * @param cut pairs of neighbours without cables; both switches are there
 */
public record SampleTorus(
        List<Integer> radices, Set<Integer> open, int hosts, int cables, Set<Position> missing, Set<Gap> cut) {
    /** Largest radix. */
    public static final int MAX_RADIX = 64;

    private static final long FIRST_CA_GUID = 0x100000;
    private static final long FIRST_SWITCH_GUID = 0x200000;

    /** GUIDs that a CA takes; a host keeps its own whatever is missing elsewhere. */
    private static final long CA_GUIDS = 0x10;

    private static final long FIRST_CA_GUID_OF_MANY = 0x1000000;

    /** Checks the numbers. */
    public SampleTorus {
        radices = List.copyOf(radices);
        open = Set.copyOf(open);
        missing = Set.copyOf(missing);
        cut = Set.copyOf(cut);
        if (radices.size() != 3 || radices.stream().anyMatch(radix -> radix < 1 || radix > MAX_RADIX)) {
            throw new FabricException("a torus of "
                    + radices.stream().map(String::valueOf).collect(Collectors.joining("x"))
                    + " switches: expected 1 to " + MAX_RADIX + " in each of three dimensions");
        }
        if (hosts < 0 || cables < 1 || hosts + 6L * cables > Fabric.MAX_PORTS) {
            throw new FabricException("%d hosts and %d cables per direction do not fit on a switch of %d ports"
                    .formatted(hosts, cables, Fabric.MAX_PORTS));
        }
        if ((long) radices.get(0) * radices.get(1) * radices.get(2) * (hosts + 1L) > Fabric.MAX_NODES) {
            throw new FabricException("more than " + Fabric.MAX_NODES + " nodes");
        }
        for (Gap gap : cut) {
            if (!areNeighbours(gap, radices, open) || missing.contains(gap.a()) || missing.contains(gap.b())) {
                throw new FabricException("no cable joins %s and %s: expected neighbours in one dimension, both there"
                        .formatted(gap.a(), gap.b()));
            }
        }
    }

    private static boolean areNeighbours(Gap gap, List<Integer> radices, Set<Integer> open) {
        int steps = 0;
        for (int dimension = 0; dimension < 3; dimension++) {
            int apart = Math.abs(gap.a().along(dimension) - gap.b().along(dimension));
            boolean wraps = apart > 1 && apart == radices.get(dimension) - 1 && !open.contains(dimension);
            steps += wraps ? 1 : apart;
        }
        return steps == 1;
    }

    /**
     * Neighbours without cables, in any order.
     *
     * @param a one of them
     * @param b the other
     */
    public record Gap(Position a, Position b) {}

    /** Returns the torus where nothing is missing, with one cable between neighbours. */
    public static SampleTorus torus(int x, int y, int z, int hosts) {
        return new SampleTorus(List.of(x, y, z), Set.of(), hosts, 1, Set.of(), Set.of());
    }

    /** Returns this plan without some switches and without the cables of some pairs. */
    public SampleTorus without(Set<Position> switches, Set<Gap> gaps) {
        return new SampleTorus(radices, open, hosts, cables, switches, gaps);
    }

    /** Returns this plan with open dimensions. */
    public SampleTorus withOpen(Set<Integer> dimensions) {
        return new SampleTorus(radices, dimensions, hosts, cables, missing, cut);
    }

    /** Returns the fabric, without LIDs. */
    public Fabric fabric() {
        FabricBuilder builder = new FabricBuilder();
        Map<Position, NodeBuilder> switches = new LinkedHashMap<>();
        long firstCa = positions().size() * (long) hosts * CA_GUIDS <= FIRST_SWITCH_GUID - FIRST_CA_GUID
                ? FIRST_CA_GUID
                : FIRST_CA_GUID_OF_MANY;
        List<Position> positions = positions();
        for (int i = 0; i < positions.size(); i++) {
            Position at = positions.get(i);
            if (!missing.contains(at)) {
                NodeBuilder sw = builder.node(NodeType.SWITCH, FIRST_SWITCH_GUID + i, ports(), "S-" + at);
                switches.put(at, sw);
                for (int host = 0; host < hosts; host++) {
                    NodeBuilder ca = builder.node(
                            NodeType.CA,
                            firstCa + ((long) i * hosts + host) * CA_GUIDS,
                            1,
                            "H-%s.%d".formatted(at, host));
                    builder.connect(ca, 1, sw, host + 1);
                }
            }
        }
        switches.forEach((at, sw) -> {
            for (int dimension = 0; dimension < 3; dimension++) {
                Position next = plus(at, dimension);
                NodeBuilder there = switches.get(next);
                if (there != null && !next.equals(at) && isCabled(at, next, dimension)) {
                    for (int cable = 0; cable < cables; cable++) {
                        builder.connect(sw, port(dimension, true, cable), there, port(dimension, false, cable));
                    }
                }
            }
        });
        return builder.build();
    }

    private int ports() {
        int active = (int) radices.stream().filter(radix -> radix > 1).count();
        return Math.max(1, hosts + 2 * active * cables);
    }

    /** Absent dimensions take no ports. */
    private int port(int dimension, boolean positive, int cable) {
        int before = (int) radices.subList(0, dimension).stream()
                .filter(radix -> radix > 1)
                .count();
        return hosts + (2 * before + (positive ? 1 : 0)) * cables + cable + 1;
    }

    private Position plus(Position at, int dimension) {
        return at.with(dimension, (at.along(dimension) + 1) % radices.get(dimension));
    }

    private boolean isCabled(Position at, Position next, int dimension) {
        boolean wraps = next.along(dimension) == 0;
        return !(wraps && open.contains(dimension))
                && !cut.contains(new Gap(at, next))
                && !cut.contains(new Gap(next, at));
    }

    /** All positions, x slowest. */
    private List<Position> positions() {
        List<Position> all = new ArrayList<>();
        for (int x = 0; x < radices.get(0); x++) {
            for (int y = 0; y < radices.get(1); y++) {
                for (int z = 0; z < radices.get(2); z++) {
                    all.add(new Position(x, y, z));
                }
            }
        }
        return all;
    }

    /**
     * Returns the torus-2QoS.conf for it: seeds are the first switches whose needed neighbours are all there, no two
     * with a switch in common.
     *
     * @param seeds how many seeds, from 1
     * @throws FabricException if there are not so many
     */
    public String conf(int seeds) {
        if (radices.stream().allMatch(radix -> radix == 1)) {
            throw new FabricException("one switch has no neighbour: a torus-2QoS.conf for it would have no seed");
        }
        Set<Position> used = new LinkedHashSet<>(missing);
        List<Position> found = new ArrayList<>();
        for (Position at : positions()) {
            List<Position> needed = new ArrayList<>(List.of(at));
            neededLinks(at).forEach(link -> needed.add(link.to));
            if (found.size() < seeds && needed.stream().noneMatch(used::contains)) {
                found.add(at);
                used.addAll(needed);
            }
        }
        if (found.isEmpty()) {
            throw new FabricException("no switch has a neighbour in every dimension: no seed");
        }
        if (found.size() < seeds) {
            throw new FabricException(
                    "%d seeds: there are %d at most with no switch in common".formatted(seeds, found.size()));
        }
        StringBuilder out = new StringBuilder("torus");
        for (int dimension = 0; dimension < 3; dimension++) {
            out.append(' ').append(radices.get(dimension)).append(open.contains(dimension) ? "M" : "");
        }
        out.append('\n');
        for (int i = 0; i < found.size(); i++) {
            out.append(i == 0 ? "" : "next_seed\n");
            seed(out, found.get(i));
        }
        return out.toString();
    }

    private record SeedLink(String keyword, Position to) {}

    private List<SeedLink> neededLinks(Position at) {
        List<SeedLink> links = new ArrayList<>();
        for (int dimension = 0; dimension < 3; dimension++) {
            int radix = radices.get(dimension);
            char name = "xyz".charAt(dimension);
            boolean isOpen = open.contains(dimension);
            boolean isAtEdge = isOpen && radix > 2 && at.along(dimension) == radix - 1;
            if (radix > 1 && !isAtEdge) {
                links.add(new SeedLink(name + "p_link", plus(at, dimension)));
            }
            if (isAtEdge || radix == 4 && !isOpen) {
                links.add(new SeedLink(name + "m_link", at.with(dimension, (at.along(dimension) + radix - 1) % radix)));
            }
        }
        return links;
    }

    private void seed(StringBuilder out, Position seed) {
        for (SeedLink link : neededLinks(seed)) {
            out.append("%s 0x%x 0x%x\n".formatted(link.keyword, guid(seed), guid(link.to)));
        }
        for (int dimension = 0; dimension < 3; dimension++) {
            if (seed.along(dimension) != 0) {
                // The seed keeps its coordinate: the dateline is moved back to the origin.
                out.append("%c_dateline %d\n".formatted("xyz".charAt(dimension), -seed.along(dimension)));
            }
        }
    }

    private long guid(Position at) {
        return FIRST_SWITCH_GUID + (at.x() * radices.get(1) + at.y()) * radices.get(2) + at.z();
    }
}
