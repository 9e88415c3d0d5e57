package org.railyard.sm.program;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.smp.GuidInfo;
import org.railyard.mad.smp.Modifiers;
import org.railyard.sm.discover.FoundSubnet;
import org.railyard.sm.model.PortGuids;
import org.railyard.sm.subnet.ManagedNode;

/** GUIDInfo: the blocks that clients have asked for, where ports do not have them (spec 41 §2.1(10)). */
public final class GuidUpdates {
    private static final int MAX_NAMED = 8;

    private final FoundSubnet found;
    private final List<PortGuids> blocks;
    private final Map<Long, Integer> ports;
    /** What this sweep has written. */
    private final List<Written> written = new ArrayList<>();

    private record Written(ManagedNode node, int port, PortGuids wanted) {}

    /**
     * Makes those of a subnet; of ports that are absent the blocks are left out.
     *
     * @param fabric the same nodes with the LIDs of ports: of several that claim one GUID, that which has it
     */
    public GuidUpdates(FoundSubnet found, Fabric fabric, List<PortGuids> blocks) {
        this.found = found;
        this.blocks = blocks;
        this.ports = blocks.isEmpty() ? Map.of() : EndPorts.byGuid(fabric);
    }

    /** Returns the phase that writes them. */
    public Phase phase() {
        return Phase.of("GUIDInfo", "alias GUIDs that clients asked for", this::updates)
                .unsettled();
    }

    private Iterator<Update> updates() {
        return blocks.stream().map(this::update).filter(Objects::nonNull).iterator();
    }

    private @Nullable Update update(PortGuids wanted) {
        Integer index = ports.get(wanted.portGuid());
        if (index == null) {
            return null;
        }
        ManagedNode node = found.nodes().get(found.fabric().nodeOf(index));
        int port = found.fabric().portNumber(index);
        if (node.path(port) == null || wanted.equals(node.held().guids(port, wanted.block()))) {
            return null;
        }
        GuidInfo table = GuidInfo.TYPE.create();
        for (int i = 0; i < PortGuids.BLOCK; i++) {
            table.set(GuidInfo.GUIDS, i, wanted.guids().get(i));
        }
        if (wanted.block() == 0) {
            table.set(GuidInfo.GUIDS, 0, wanted.portGuid());
        }
        return Update.table(
                        node,
                        port,
                        GuidInfo.TYPE,
                        Modifiers.block(wanted.block()),
                        table,
                        answer -> {
                            // A port that does not take it is told of, and not asked again before clients do.
                            node.held().guids(port, wanted, answer);
                            written.add(new Written(node, port, wanted));
                        },
                        () -> node.held().forgetGuids(port),
                        _ -> true)
                .orReached(_ -> true);
    }

    /** Returns what an operator should know of it: ports that have not taken what they shall have. */
    public List<String> notes() {
        List<String> without = new ArrayList<>();
        for (Written one : written) {
            if (!one.node().held().hasGuids(one.port(), one.wanted())) {
                without.add(one.node().portName(one.port()));
            }
        }
        return without.isEmpty()
                ? List.of()
                : List.of(("alias GUIDs were not taken by %s: %s%s; whoever asked for them was told that they"
                                + " are there")
                        .formatted(
                                PhasePlan.counted(without.size(), "port", "ports"),
                                String.join(", ", without.subList(0, Math.min(without.size(), MAX_NAMED))),
                                without.size() > MAX_NAMED ? " …" : ""));
    }
}
