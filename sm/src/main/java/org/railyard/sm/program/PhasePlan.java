package org.railyard.sm.program;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.Transition;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.mad.smp.PortState;
import org.railyard.sm.subnet.ManagedNode;

/**
 * The phases that make a subnet what it shall be. Switches that forward nothing yet get all their tables before their
 * links come up; on others routes over new links are written when these are active (spec 41 §2.2).
 */
public final class PhasePlan {
    private static final int MAX_NAMED = 8;

    /** What times are multiples of, by powers of two, ns. */
    private static final long TIME_UNIT = 4096;

    private static final long MILLI = 1_000_000;

    private final Desired desired;
    private final PortUpdates ports;
    private final TableUpdates tables;
    /** Switches that forward nothing yet. */
    private final BitSet empty = new BitSet();

    /** How routes in use change; null if there are none. */
    private final @Nullable Transition transition;

    /** Makes the plan of what shall be. */
    public PhasePlan(Desired desired) {
        this.desired = desired;
        this.ports = new PortUpdates(desired);
        this.tables = new TableUpdates(desired);
        for (int sw = 0; sw < desired.fabric().switchCount(); sw++) {
            empty.set(sw, desired.nodes().get(sw).held().forwardsUnknown());
        }
        boolean fresh = empty.cardinality() == desired.fabric().switchCount();
        transition = fresh
                ? null
                : Transition.plan(desired.fabric(), HeldRouting.of(desired), desired.routing(), CheckOptions.DEFAULT);
    }

    /** Returns what an operator should know of it, one line each. */
    public List<String> notes() {
        if (transition == null || transition.changed().isEmpty()) {
            return List.of();
        }
        List<String> notes = new ArrayList<>();
        notes.add("the routes to %d LIDs change: to %d of them in up to %d rounds, nearest to the destination first"
                .formatted(transition.changed().cardinality(), transition.ordered(), transition.lastRound() + 1));
        if (!transition.drained().isEmpty()) {
            notes.add(
                    ("old and new routes together could close a credit loop: entries that change are empty for %d ms, "
                                    + "for %d LIDs: %s")
                            .formatted(
                                    settleNanos() / MILLI,
                                    transition.drained().cardinality(),
                                    names(transition.drained())));
        }
        if (!transition.isProved()) {
            notes.add("the change is not proved: the tables that switches have close a loop by themselves");
        }
        return notes;
    }

    private String names(BitSet lids) {
        String names = lids.stream()
                .limit(MAX_NAMED)
                .mapToObj(lid -> desired.fabric().portName(desired.fabric().portOfLid(lid)))
                .collect(Collectors.joining(", "));
        return lids.cardinality() > MAX_NAMED ? names + " and others" : names;
    }

    /** Returns how long packets live. */
    private long settleNanos() {
        return TIME_UNIT << desired.ports().lifeTime();
    }

    /** Empties the entries that change, of LIDs that no order helps, and waits until their packets have died out. */
    private Phase drain(BitSet lids) {
        return new Phase(
                "LFT: drain",
                "packets on old routes have to be gone before new ones are written",
                true,
                settleNanos(),
                () -> tables.linear(sw -> !empty.get(sw), (sw, lid) -> {
                    int now = desired.nodes().get(sw).held().forward(lid);
                    int then = desired.routing().forwarding().port(sw, lid);
                    return lids.get(lid) && now != then ? ForwardingTables.NO_PATH : now;
                }));
    }

    /** Writes the entries up to a round; switches with entries that lead into a dead port come first. */
    private Phase round(Transition change, int round) {
        TableUpdates.Entries entries = (sw, lid) -> change.round(sw, lid) <= round
                ? desired.routing().forwarding().port(sw, lid)
                : desired.nodes().get(sw).held().forward(lid);
        boolean several = change.lastRound() > 0;
        return new Phase(
                several ? "LFT round " + (round + 1) : "LFT",
                several
                        ? "new routes, nearest to the destination first: no packet can go round"
                        : "new routes, in any order: dead ports first",
                several,
                0,
                () -> {
                    BitSet dead = deadEnds();
                    Iterator<Update> first = tables.linear(dead::get, entries);
                    Iterator<Update> rest = tables.linear(sw -> !dead.get(sw), entries);
                    return new OneAfterTheOther(first, rest);
                });
    }

    /** Updates are made one at a time, when they can be sent; streams would make all of the second ones at once. */
    private record OneAfterTheOther(Iterator<Update> first, Iterator<Update> then) implements Iterator<Update> {
        @Override
        public boolean hasNext() {
            return first.hasNext() || then.hasNext();
        }

        @Override
        public Update next() {
            return first.hasNext() ? first.next() : then.next();
        }
    }

    /** Returns the switches that hold entries into ports without a link. */
    private BitSet deadEnds() {
        Fabric fabric = desired.fabric();
        BitSet dead = new BitSet();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int lid = 1; lid <= fabric.maxLid() && !dead.get(sw); lid++) {
                int port = desired.nodes().get(sw).held().forward(lid);
                dead.set(
                        sw,
                        port >= 1
                                && port <= fabric.ports(sw)
                                && fabric.peer(fabric.portIndex(sw, port)) == Fabric.NONE);
            }
        }
        return dead;
    }

    /** Returns the phase that only makes switches tell the next change; the routes that shall be do not matter. */
    public static Phase stateChanges(List<ManagedNode> nodes) {
        return Phase.of(
                "SwitchInfo",
                "clear PortStateChange, so that the next change is told",
                () -> PortUpdates.stateChanges(nodes));
    }

    /** Returns the phases up to active links. */
    public List<Phase> prepare() {
        List<Phase> phases = new ArrayList<>();
        phases.add(stateChanges(desired.nodes()));
        if (transition != null && !transition.drained().isEmpty()) {
            phases.add(drain(transition.drained()));
        }
        phases.add(Phase.of("P_KeyTable", "partitions", tables::pKeys));
        phases.add(Phase.of("PortInfo of end ports", "LIDs, the subnet manager's LID and SL", ports::endPorts));
        phases.add(Phase.of("SLtoVLMappingTable", "VLs of the engine, before routes need them", tables::slToVl));
        phases.add(Phase.of("VLArbitrationTable", "weights of VLs", tables::arbitration));
        phases.add(Phase.of("PortInfo of switch ports", "link parameters", ports::switchPorts));
        phases.add(Phase.of("SwitchInfo", "LinearFDBTop and LifeTime", ports::switchSettings));
        phases.add(Phase.of(
                "LFT of new switches",
                "they forward nothing yet: any order is safe",
                () -> tables.linear(empty::get, desired.routing().forwarding()::port)));
        phases.add(Phase.of(
                "PortInfo: armed", "links with known ends", () -> ports.raise(PortState.INIT, PortState.ARMED)));
        phases.add(Phase.of(
                "PortInfo: active",
                "links whose both ends are armed",
                () -> ports.raise(PortState.ARMED, PortState.ACTIVE)));
        return phases;
    }

    /** Returns the phases that change routes in use. */
    public List<Phase> forward() {
        List<Phase> phases = new ArrayList<>();
        if (transition == null) {
            phases.add(Phase.of(
                    "LFT",
                    "new routes",
                    () -> tables.linear(_ -> true, desired.routing().forwarding()::port)));
        } else {
            for (int round = 0; round <= transition.lastRound(); round++) {
                phases.add(round(transition, round));
            }
        }
        phases.add(new Phase(
                "MFT: less",
                "branches that go, before others come: no ring in between",
                true,
                0,
                () -> tables.multicast(_ -> true, true)));
        phases.add(Phase.of("MFT", "branches of groups", () -> tables.multicast(_ -> true, false)));
        return phases;
    }
}
