package org.railyard.fabric.format;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.model.Lids;

/**
 * Which LIDs end ports get (spec 41 §3): those of a table by port GUID, else the one that the port has, else the first
 * free ones, in OpenSM's order of ports. Immutable.
 *
 * @param fixed LIDs by port GUID, as in OpenSM's {@code guid2lid}; those of absent ports stay reserved
 * @param keep whether a port without an entry keeps the LIDs that it has
 * @param lmc logarithm of the number of LIDs that are given to a port of a CA or router, 0 to {@value Lids#MAX_LMC}; a
 *     switch gets one
 * @param smPort end port of the subnet manager, which is given LIDs first; {@link Fabric#NONE} for the first CA port in
 *     a cable
 */
public record LidSettings(Map<Long, Guid2Lid.Range> fixed, boolean keep, int lmc, int smPort) {
    /** Ports keep their LIDs; those without get one. */
    public static final LidSettings KEEP = new LidSettings(Map.of(), true, 0, Fabric.NONE);

    /** Copies the table, and checks the LMC. */
    public LidSettings {
        fixed = Map.copyOf(fixed);
        if (lmc < 0 || lmc > Lids.MAX_LMC) {
            throw new IllegalArgumentException("LMC %d: expected 0 to %d".formatted(lmc, Lids.MAX_LMC));
        }
    }

    /** Returns settings that ignore what ports have, as OpenSM in a fabric that it has never seen. */
    public static LidSettings fresh(int smPort, int lmc) {
        return new LidSettings(Map.of(), false, lmc, smPort);
    }

    /**
     * Gives LIDs to all end ports in a cable.
     *
     * @throws FabricException if LIDs of the table overlap or there are more end ports than LIDs
     */
    public LidAssignment assign(Fabric fabric) {
        int[] lid = new int[fabric.portCount()];
        int[] lmcs = new int[fabric.portCount()];
        BitSet taken = new BitSet();
        reserve(taken);
        for (int port = 0; port < lid.length; port++) {
            Guid2Lid.Range range = range(fabric, port);
            if (range != null) {
                lid[port] = range.min();
                lmcs[port] = range.lmc();
            }
        }
        for (int port = 0; port < lid.length && keep; port++) {
            int has = fabric.lid(port);
            int end = has + (1 << fabric.lmc(port));
            if (lid[port] == 0
                    && has != 0
                    && fabric.isEndPort(port)
                    && taken.get(has, end).isEmpty()) {
                lid[port] = has;
                lmcs[port] = fabric.lmc(port);
                taken.set(has, end);
            }
        }
        giveFresh(fabric, lid, lmcs, taken);
        boolean same = IntStream.range(0, lid.length)
                .allMatch(port -> lid[port] == fabric.lid(port) && lmcs[port] == fabric.lmc(port));
        return new LidAssignment(same ? fabric : fabric.withLids(lid, lmcs), findings(fabric, lid));
    }

    private Guid2Lid.@Nullable Range range(Fabric fabric, int port) {
        return fabric.isEndPort(port) ? fixed.get(fabric.portGuid(port)) : null;
    }

    private void reserve(BitSet taken) {
        Map<Integer, Long> owners = new LinkedHashMap<>();
        fixed.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(Long::compareUnsigned))
                .forEach(entry -> {
                    for (int lid = entry.getValue().min();
                            lid <= entry.getValue().max();
                            lid++) {
                        Long owner = owners.putIfAbsent(lid, entry.getKey());
                        if (owner != null) {
                            throw new FabricException("LID 0x%04x is that of port GUID 0x%016x and of 0x%016x"
                                    .formatted(lid, owner, entry.getKey()));
                        }
                        taken.set(lid);
                    }
                });
    }

    private void giveFresh(Fabric fabric, int[] lid, int[] lmcs, BitSet taken) {
        int next = Lids.MIN_UNICAST;
        for (int port : order(fabric)) {
            if (lid[port] != 0) {
                continue;
            }
            lmcs[port] = fabric.isSwitch(fabric.nodeOf(port)) ? 0 : lmc;
            int count = 1 << lmcs[port];
            int first = (next + count - 1) / count * count;
            while (!taken.get(first, first + count).isEmpty()) {
                first += count;
            }
            lid[port] = first;
            next = first + count;
        }
    }

    private List<Integer> order(Fabric fabric) {
        int first = smPort == Fabric.NONE ? FreshLids.firstEndPort(fabric) : smPort;
        List<Integer> order = new ArrayList<>();
        if (first != Fabric.NONE) {
            order.add(first);
        }
        for (int port : NodeOrder.endPorts(fabric)) {
            if (port != first) {
                order.add(port);
            }
        }
        return order;
    }

    private List<String> findings(Fabric fabric, int[] lid) {
        List<String> findings = new ArrayList<>();
        for (int port = 0; port < lid.length && keep; port++) {
            if (fabric.lid(port) != 0 && fabric.lid(port) != lid[port] && fabric.isEndPort(port)) {
                findings.add("%s gets LID %d, had %d: it belongs to another port, or guid2lid says otherwise"
                        .formatted(fabric.portName(port), lid[port], fabric.lid(port)));
            }
        }
        return findings;
    }
}
