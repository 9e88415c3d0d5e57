package org.railyard.sm.lid;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.format.Guid2Lid.Range;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.model.Lids;

/**
 * Gives LIDs to all end ports in a cable (spec 41 §3): those of the table, else those that the port has and nobody else
 * claims, else the first free ones. The table then has them all. A function of its arguments.
 */
public final class LidAssigner {
    private static final Range NONE = new Range(0, 0);

    private final Fabric fabric;
    private final LidTable table;
    private final LidOrder order;
    private final int lmc;
    private final int maxLid;
    private final int smPort;
    private final @Nullable Fabric before;
    private final BitSet taken = new BitSet();
    private final List<String> findings = new ArrayList<>();
    private int next = Lids.MIN_UNICAST;

    private LidAssigner(Fabric fabric, LidTable table, Rules rules, int smPort, @Nullable Fabric before) {
        this.fabric = fabric;
        this.table = table;
        this.order = rules.order();
        this.lmc = rules.lmc();
        this.maxLid = Math.min(rules.maxLid(), Lids.MAX_UNICAST);
        this.smPort = smPort;
        this.before = before;
    }

    /**
     * How LIDs are given.
     *
     * @param order in which ports get those that are new
     * @param lmc logarithm of the number of LIDs of a CA or router port, 0 to {@value Lids#MAX_LMC}; a switch has one
     * @param maxLid the largest LID that all switches can look up
     */
    public record Rules(LidOrder order, int lmc, int maxLid) {}

    /**
     * What was given.
     *
     * @param fabric the fabric with its LIDs
     * @param findings ports that lose a LID that they had, one line each
     */
    public record Assignment(Fabric fabric, List<String> findings) {
        /** Copies the findings. */
        public Assignment {
            findings = List.copyOf(findings);
        }
    }

    /**
     * Gives LIDs.
     *
     * @param fabric as it was found, without LIDs
     * @param now the base LID that each port has now, by port index, 0 = none
     * @param table gets the LIDs that are new
     * @param smPort port index of the own end port
     * @param before the fabric that had LIDs last: whoever had a port GUID then keeps it if others claim it; null
     *     if there is none
     * @throws FabricException if there are too few LIDs; the table is then as it was
     */
    public static Assignment assign(
            Fabric fabric, int[] now, LidTable table, Rules rules, int smPort, @Nullable Fabric before) {
        Map<Long, Range> kept = new LinkedHashMap<>(table.ranges());
        try {
            return new LidAssigner(fabric, table, rules, smPort, before).run(now);
        } catch (FabricException e) {
            table.ranges().clear();
            table.ranges().putAll(kept);
            throw e;
        }
    }

    private int count(int port) {
        return fabric.isSwitch(fabric.nodeOf(port)) ? 1 : 1 << lmc;
    }

    private Assignment run(int[] now) {
        List<Integer> ports = endPorts(now);
        Set<Long> present = new LinkedHashSet<>();
        ports.forEach(port -> present.add(fabric.portGuid(port)));
        dropMisfits(ports);
        table.ranges().values().forEach(range -> taken.set(range.min(), range.max() + 1));
        keep(ports, now);
        for (int port : ports) {
            long guid = fabric.portGuid(port);
            if (!table.has(guid)) {
                int first = firstFree(count(port), present, port);
                give(port, first);
            }
        }
        int[] lid = new int[fabric.portCount()];
        int[] lmcs = new int[fabric.portCount()];
        for (int port : ports) {
            Range range = table.get(fabric.portGuid(port), NONE);
            lid[port] = range.min();
            lmcs[port] = fabric.isSwitch(fabric.nodeOf(port)) ? 0 : lmc;
            if (now[port] != 0 && now[port] != lid[port]) {
                findings.add("%s gets LID %d, had %d: its connections break; %s"
                        .formatted(fabric.portName(port), lid[port], now[port], why(now[port], count(port))));
            }
        }
        return new Assignment(fabric.withLids(lid, lmcs), findings);
    }

    /** Returns why so many LIDs can not begin there. */
    private String why(int base, int count) {
        if (base % count != 0) {
            return "%d is no multiple of %d, which LMC %d takes".formatted(base, count, lmc);
        }
        return base + count - 1 > maxLid
                ? "the largest LID that all switches look up is " + maxLid
                : "guid2lid has it so, or another port has " + base;
    }

    /** Returns the end ports in a cable, in the order in which they get new LIDs. */
    private List<Integer> endPorts(int[] now) {
        Map<Long, Integer> sorted = new TreeMap<>(order.byGuid());
        for (int port = 0; port < fabric.portCount(); port++) {
            boolean used = fabric.isSwitch(fabric.nodeOf(port))
                    ? fabric.isConnected(fabric.nodeOf(port))
                    : fabric.peer(port) != Fabric.NONE;
            if (fabric.isEndPort(port) && (used || port == smPort)) {
                Integer other = sorted.putIfAbsent(fabric.portGuid(port), port);
                if (other != null) {
                    int owner = claim(port, now) > claim(other, now) ? port : other;
                    sorted.put(fabric.portGuid(port), owner);
                    findings.add("port GUID 0x%016x is that of %s and of %s: the second gets no LID"
                            .formatted(
                                    fabric.portGuid(port),
                                    fabric.portName(owner),
                                    fabric.portName(owner == port ? other : port)));
                }
            }
        }
        List<Integer> ports = new ArrayList<>();
        if (smPort != Fabric.NONE) {
            ports.add(smPort);
        }
        sorted.values().stream().filter(port -> port != smPort).forEach(ports::add);
        return ports;
    }

    /** How much speaks for a port whose GUID another one claims as well. */
    private int claim(int port, int[] now) {
        Range range = table.get(fabric.portGuid(port), NONE);
        // What the own port is its driver knows.
        return port == smPort ? 3 : hadGuid(port) ? 2 : range != NONE && now[port] == range.min() ? 1 : 0;
    }

    /** Tells whether a port had its GUID when LIDs were given last. */
    private boolean hadGuid(int port) {
        int node = before == null ? Fabric.NONE : before.nodeOfGuid(fabric.guid(fabric.nodeOf(port)));
        int number = fabric.portNumber(port);
        if (before == null || node == Fabric.NONE || number > before.ports(node)) {
            return false;
        }
        int there = before.portIndex(node, number);
        return before.isEndPort(there) && before.lid(there) != 0 && before.portGuid(there) == fabric.portGuid(port);
    }

    /** Entries that do not have as many LIDs as they should, or not where they should, count no more. */
    private void dropMisfits(List<Integer> ports) {
        for (int port : ports) {
            Range range = table.get(fabric.portGuid(port), NONE);
            int count = count(port);
            boolean fits = range.max() - range.min() + 1 >= count && range.min() % count == 0 && range.max() <= maxLid;
            if (range != NONE && !fits) {
                table.ranges().remove(fabric.portGuid(port));
            }
        }
    }

    /** Who has LIDs that are free keeps them; of two with the same the one with the lower GUID. */
    private void keep(List<Integer> ports, int[] now) {
        Map<Long, Integer> byGuid = new TreeMap<>(Long::compareUnsigned);
        ports.forEach(port -> byGuid.put(fabric.portGuid(port), port));
        byGuid.forEach((guid, port) -> {
            int base = now[port];
            int count = count(port);
            if (!table.has(guid)
                    && base != 0
                    && base % count == 0
                    && base + count - 1 <= maxLid
                    && taken.get(base, base + count).isEmpty()) {
                give(port, base);
            }
        });
    }

    private void give(int port, int base) {
        int count = count(port);
        table.put(fabric.portGuid(port), new Range(base, base + count - 1));
        taken.set(base, base + count);
    }

    /** Returns the first LID of so many that are free; entries of absent ports are given up where there are none. */
    private int firstFree(int count, Set<Long> present, int port) {
        int first = free(next, count);
        if (first == 0) {
            // What alignment left over is used where there is nothing else.
            first = free(Lids.MIN_UNICAST, count);
        }
        while (first == 0) {
            if (!table.giveUpOldest(present)) {
                throw new FabricException("no LID is left for %s: %d end ports with LMC %d, LIDs up to 0x%04x"
                        .formatted(fabric.portName(port), present.size(), lmc, maxLid));
            }
            taken.clear();
            table.ranges().values().forEach(range -> taken.set(range.min(), range.max() + 1));
            first = free(Lids.MIN_UNICAST, count);
        }
        next = first + count;
        return first;
    }

    /** Returns the first LID of so many that are free, from this one on; 0 if there are none. */
    private int free(int from, int count) {
        int first = (from + count - 1) / count * count;
        while (!taken.get(first, first + count).isEmpty()) {
            first += count;
        }
        return first + count - 1 <= maxLid ? first : 0;
    }
}
