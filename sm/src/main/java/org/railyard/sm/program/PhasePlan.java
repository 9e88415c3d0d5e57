package org.railyard.sm.program;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.Transition;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.Routing;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.PortState;
import org.railyard.sm.program.TableUpdates.Entries;
import org.railyard.sm.program.TableUpdates.Masks;
import org.railyard.sm.subnet.HeldTables;
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

    /** Switches with entries into links that are up and lead to nobody that answers. */
    private final BitSet blind = new BitSet();

    /** LIDs of nobody that switches have entries for, where nobody knows with which SLs packets are sent to them. */
    private final BitSet stray = new BitSet();

    /** How routes in use change; null if there are none. */
    private final @Nullable Transition transition;

    /** Blocks of LFTs with entries that change, and those of LIDs that are drained. */
    private final BitSet changing = new BitSet();

    /** Switches with entries that change, or that are emptied although they stay. */
    private final BitSet changingAt = new BitSet();

    /** Those of them with entries into ports without a link. */
    private final BitSet deadEnds = new BitSet();

    /**
     * Whether LIDs that are not drained need not wait for packets to those that are, which is proved; not so if links
     * have to come up, because without them everything is routed again.
     */
    private final boolean areOthersEarly;

    /** Makes the plan of what shall be. */
    public PhasePlan(Desired desired) {
        for (int sw = 0; sw < desired.fabric().switchCount(); sw++) {
            empty.set(sw, desired.nodes().get(sw).held().forwardsUnknown());
        }
        for (int sw = 0; sw < desired.fabric().switchCount(); sw++) {
            blind.set(sw, !empty.get(sw) && blindPort(desired, sw) > 0);
        }
        boolean fresh = empty.cardinality() == desired.fabric().switchCount();
        if (fresh) {
            transition = null;
        } else {
            Routing held = HeldRouting.of(desired);
            transition = Transition.plan(
                    desired.fabric(), held, desired.routing(), desired.dependencies(), strangers(desired));
            transition.drained().stream().forEach(lid -> changing.set(lid / LinearForwardingTable.BLOCK));
            findChanges(held.forwarding(), desired);
            transition.changed().stream().filter(lid -> isStray(desired, lid)).forEach(stray::set);
            if (transition.isEverythingDrained()) {
                changingAt.set(0, desired.fabric().switchCount());
            }
        }
        areOthersEarly = transition != null
                && !transition.isEverythingDrained()
                && blind.isEmpty()
                && stray.isEmpty()
                && empty.isEmpty()
                && areAllLinksUp(desired);
        // Who knows paths with another SL has to ask for them again.
        this.desired = transition != null && transition.slsChange() ? desired.withReregister() : desired;
        this.ports = new PortUpdates(this.desired);
        this.tables = new TableUpdates(this.desired);
    }

    /** Returns whether packets with the SL that their path had before can close a credit loop in the new tables. */
    public boolean needsNewSls() {
        return transition != null && transition.newLoops();
    }

    /** Returns what an operator should know of it, one line each. */
    public List<String> notes() {
        if (transition == null) {
            return List.of();
        }
        List<String> notes = new ArrayList<>();
        guesses(notes);
        reasons(transition, notes);
        if (!transition.changed().isEmpty()) {
            String changed = "the routes to " + counted(transition.changed().cardinality(), "LID", "LIDs") + " change";
            notes.add(
                    transition.ordered() == 0
                            ? changed + "; none of them has to be written in rounds"
                            : changed
                                    + ": to %d of them in up to %s, nearest to the destination first"
                                            .formatted(
                                                    transition.ordered(),
                                                    counted(transition.lastRound() + 1, "round", "rounds")));
        }
        // With other VLs everything may have to be emptied although no entry changes.
        if (transition.isEverythingDrained()) {
            notes.add(("old and new tables together could close a credit loop, whichever routes are emptied: all are "
                            + "empty for %d ms, multicast too")
                    .formatted(settleNanos() / MILLI));
        } else if (!transition.drained().isEmpty()) {
            notes.add(
                    ("old and new routes together could close a credit loop: entries that change are empty for %d ms, "
                                    + "for %s: %s")
                            .formatted(
                                    settleNanos() / MILLI,
                                    counted(transition.drained().cardinality(), "LID", "LIDs"),
                                    names(transition.drained())));
        }
        return notes;
    }

    static String counted(int count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }

    /** Tells why a change is made that is not proved. */
    private static void reasons(Transition change, List<String> notes) {
        if (change.isProved()) {
            return;
        }
        if (change.oldLoops()) {
            notes.add("the change is not proved: the tables that switches have close a loop by themselves");
        }
        if (change.newLoops()) {
            notes.add(
                    "the change is not proved: packets with the SL that their path had before can close a credit loop "
                            + "in the new tables, until all senders have asked for their paths again");
        }
    }

    /** Tells what the proof takes for granted because nobody here has written or read it. */
    private void guesses(List<String> notes) {
        int unknown = 0;
        for (int sw = 0; sw < desired.fabric().switchCount(); sw++) {
            unknown += !empty.get(sw) && guessesVls(sw) ? 1 : 0;
        }
        if (unknown > 0) {
            notes.add("SL to VL tables of %s are not known: the change is proved only if they are right already"
                    .formatted(counted(unknown, "switch", "switches")));
        }
        if (!blind.isEmpty()) {
            int first = blind.nextSetBit(0);
            notes.add(("entries of %s into neighbours that are up and do not answer, such as %s, are empty for "
                            + "%d ms before others change: where these send packets is not known")
                    .formatted(
                            counted(blind.cardinality(), "switch", "switches"),
                            desired.nodes().get(first).portName(blindPort(desired, first)),
                            settleNanos() / MILLI));
        }
        if (!stray.isEmpty()) {
            notes.add(("entries for %s that no port has, such as %d, are empty for %d ms before others change: with "
                            + "which SL packets are sent there is not known")
                    .formatted(
                            counted(stray.cardinality(), "LID", "LIDs"), stray.nextSetBit(0), settleNanos() / MILLI));
        }
    }

    /** Whether packets pass the switch by a table that is not known. */
    private boolean guessesVls(int sw) {
        ManagedNode node = desired.nodes().get(sw);
        for (int in = 1; in <= node.lastPort(); in++) {
            for (int out = 1; out <= node.lastPort(); out++) {
                boolean used = in != out && isUsed(sw, in) && isUsed(sw, out);
                if (used && !node.held().knowsSlToVl(in, out)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isUsed(int sw, int port) {
        return desired.fabric().peer(desired.fabric().portIndex(sw, port)) != Fabric.NONE
                && desired.nodes().get(sw).state(port) == PortState.ACTIVE;
    }

    /** Returns a port with entries whose link is up and leads to nobody that answers, 0 if there is none. */
    private static int blindPort(Desired desired, int sw) {
        if (!hasBlindPort(desired, sw)) {
            return 0;
        }
        // What is behind it may have had the last LIDs: these are not in use now, and looked up until all is done.
        int last = HeldRouting.lastLid(desired);
        for (int lid = 1; lid <= last; lid++) {
            if (isBlind(desired, sw, lid)) {
                return desired.nodes().get(sw).held().forward(lid);
            }
        }
        return 0;
    }

    /** Asked first: hardly a switch has one, and its table has thousands of entries. */
    private static boolean hasBlindPort(Desired desired, int sw) {
        ManagedNode node = desired.nodes().get(sw);
        for (int port = 1; port <= node.lastPort(); port++) {
            if (isBlindPort(desired, sw, port)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isBlind(Desired desired, int sw, int lid) {
        ManagedNode node = desired.nodes().get(sw);
        int port = node.held().forward(lid);
        return port >= 1 && port <= node.lastPort() && isBlindPort(desired, sw, port);
    }

    /**
     * Whether a LID, to which the routes change, is of nobody, and no paths to it are known: that of a node that was
     * gone already when this subnet manager began. Hosts may go on to send to it, as far as there are entries.
     */
    private static boolean isStray(Desired desired, int lid) {
        Routing before = desired.before();
        return desired.fabric().portOfLid(lid) == Fabric.NONE
                && (before == null || before.sls().classOf(lid) < 0);
    }

    private static boolean isBlindPort(Desired desired, int sw, int port) {
        return desired.nodes().get(sw).state(port) == PortState.ACTIVE
                && desired.fabric().peer(desired.fabric().portIndex(sw, port)) == Fabric.NONE;
    }

    /** Returns the hosts behind such ports: those that were last routed there. */
    private static List<Transition.Stranger> strangers(Desired desired) {
        Fabric fabric = desired.fabric();
        List<Transition.Stranger> strangers = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            ManagedNode node = desired.nodes().get(sw);
            for (int port = 1; port <= node.lastPort(); port++) {
                ManagedNode.Host host = isBlindPort(desired, sw, port) ? node.lastHost(port) : null;
                if (host != null && fabric.portOfLid(host.lid()) == Fabric.NONE) {
                    strangers.add(new Transition.Stranger(fabric.portIndex(sw, port), host.lid(), host.sls()));
                }
            }
        }
        return strangers;
    }

    private String names(BitSet lids) {
        String names = lids.stream().limit(MAX_NAMED).mapToObj(this::name).collect(Collectors.joining(", "));
        return lids.cardinality() > MAX_NAMED ? names + " and others" : names;
    }

    private String name(int lid) {
        int port = desired.fabric().portOfLid(lid);
        return port == Fabric.NONE
                ? "LID " + lid + " of a port that is gone"
                : desired.fabric().portName(port);
    }

    /** Returns how long packets live. */
    private long settleNanos() {
        return TIME_UNIT << desired.ports().lifeTime();
    }

    /** Empties the entries that change, of LIDs that no order helps, and waits until their packets have died out. */
    private Phase drain(Transition change) {
        BitSet lids = change.drained();
        Entries emptied = entries((sw, lid, has, wanted) -> {
            boolean goes = change.isEverythingDrained() || has != wanted;
            return goes && lids.get(lid) ? ForwardingTables.NO_PATH : has;
        });
        return Phase.drain(
                "LFT: drain",
                "packets on old routes have to be gone before new ones are written",
                settleNanos(),
                () -> tables.linear(sw -> !empty.get(sw) && changingAt.get(sw), changing::get, emptied));
    }

    /** A neighbour that forwards and does not answer is in no proof: nothing may pass it when others change. */
    private Phase drainBlind() {
        Entries emptied = entries((sw, lid, has, wanted) -> isBlind(desired, sw, lid) ? ForwardingTables.NO_PATH : has);
        return Phase.drain(
                "LFT: into what does not answer",
                "packets that pass switches nobody can ask have to be gone before others change",
                settleNanos(),
                () -> tables.linear(blind::get, emptied));
    }

    /** Packets with an SL that nobody knows are in no proof: there may be none when others change. */
    private Phase drainStray() {
        BitSet blocks = new BitSet();
        stray.stream().forEach(lid -> blocks.set(lid / LinearForwardingTable.BLOCK));
        Entries emptied = entries((sw, lid, has, wanted) -> stray.get(lid) ? ForwardingTables.NO_PATH : has);
        return Phase.drain(
                "LFT: to LIDs of nobody",
                "packets that are sent there with an SL that nobody knows have to be gone before others change",
                settleNanos(),
                () -> tables.linear(sw -> !empty.get(sw) && changingAt.get(sw), blocks::get, emptied));
    }

    private Phase drainMulticast() {
        return Phase.drain(
                "MFT: drain",
                "packets of groups have to be gone before anything new is written",
                settleNanos(),
                () -> tables.multicast(sw -> !empty.get(sw), Masks.EMPTY));
    }

    /** Entries that somebody left above the last LID that is looked up must not come to life. */
    private Phase aboveTop() {
        return Phase.strict(
                "LFT above LinearFDBTop",
                "empty before it is looked up",
                () -> tables.linear(sw -> !empty.get(sw), _ -> false, this::held));
    }

    /** What a switch has in a block. */
    private void held(int sw, int block, byte[] row) {
        desired.nodes().get(sw).held().copyLinear(block, row);
    }

    /** What it shall have there. */
    private void wanted(int sw, int block, byte[] row) {
        desired.routing().forwarding().copyPorts(sw, block * row.length, row);
    }

    /** What one entry is set to. */
    private interface EntryRule {
        /**
         * Returns the port.
         *
         * @param has the port that the switch has there
         * @param wanted the one that it shall have at the end
         */
        int port(int sw, int lid, int has, int wanted);
    }

    /** Returns the entries that a rule gives, one by one. */
    private Entries entries(EntryRule rule) {
        byte[] wanted = new byte[LinearForwardingTable.BLOCK];
        return (sw, block, row) -> {
            held(sw, block, row);
            wanted(sw, block, wanted);
            for (int i = 0; i < row.length; i++) {
                row[i] = (byte) rule.port(sw, block * row.length + i, row[i] & 0xFF, wanted[i] & 0xFF);
            }
        };
    }

    /** Writes the entries up to a round; switches with entries that lead into a dead port come first. */
    private Phase round(Transition change, BitSet drained, int round) {
        Entries entries = entries((sw, lid, has, wanted) ->
                has != wanted && change.round(sw, lid) <= round && !drained.get(lid) ? wanted : has);
        return change.lastRound() > 0
                ? Phase.strict(
                        "LFT round " + (round + 1),
                        "new routes, nearest to the destination first: no packet can go round",
                        () -> changes(entries))
                : Phase.of("LFT", "new routes, in any order: dead ports first", () -> changes(entries));
    }

    private Iterator<Update> changes(Entries entries) {
        Iterator<Update> dead = tables.linear(deadEnds::get, changing::get, entries);
        Iterator<Update> rest =
                tables.linear(sw -> !deadEnds.get(sw) && (changingAt.get(sw) || empty.get(sw)), changing::get, entries);
        return new OneAfterTheOther(dead, rest);
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

    private static boolean areAllLinksUp(Desired desired) {
        Fabric fabric = desired.fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            boolean linked = fabric.peer(port) != Fabric.NONE;
            if (linked && desired.nodeOf(port).state(fabric.portNumber(port)) != PortState.ACTIVE) {
                return false;
            }
        }
        return true;
    }

    private void findChanges(ForwardingTables held, Desired desired) {
        ForwardingTables wanted = desired.routing().forwarding();
        for (int sw = 0; sw < desired.fabric().switchCount(); sw++) {
            // What is not known counts as empty: it is made so before it is looked up.
            for (int lid = held.firstDifference(wanted, sw, 0); lid >= 0; ) {
                int block = lid / LinearForwardingTable.BLOCK;
                changing.set(block);
                changingAt.set(sw);
                lid = held.firstDifference(wanted, sw, (block + 1) * LinearForwardingTable.BLOCK);
            }
            deadEnds.set(sw, changingAt.get(sw) && isDeadEnd(desired, sw));
        }
    }

    /** Whether a switch holds entries into ports without a link. */
    private static boolean isDeadEnd(Desired desired, int sw) {
        Fabric fabric = desired.fabric();
        BitSet dead = new BitSet();
        for (int port = 1; port <= fabric.ports(sw); port++) {
            dead.set(port, fabric.peer(fabric.portIndex(sw, port)) == Fabric.NONE);
        }
        HeldTables held = desired.nodes().get(sw).held();
        for (int lid = 1; lid <= fabric.maxLid() && !dead.isEmpty(); lid++) {
            if (dead.get(held.forward(lid))) {
                return true;
            }
        }
        return false;
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
        if (!blind.isEmpty()) {
            phases.add(drainBlind());
        }
        if (!stray.isEmpty()) {
            phases.add(drainStray());
        }
        boolean everything = transition != null && transition.isEverythingDrained();
        if (everything) {
            phases.add(drainMulticast());
        }
        if (transition != null && !transition.drained().isEmpty()) {
            phases.add(drain(transition));
        }
        int first = phases.size();
        phases.add(Phase.of("P_KeyTable of switches", "partitions, before end ports use them", tables::switchKeys));
        phases.add(Phase.of("P_KeyTable", "partitions", tables::pKeys));
        phases.add(Phase.of("PortInfo of end ports", "LIDs, the subnet manager's LID and SL", ports::endPorts));
        // With everything empty the proof is that of the new tables alone: no VLs of the old ones may stay.
        String before = "VLs of the engine, before routes need them";
        phases.add(
                everything
                        ? Phase.strict("SLtoVLMappingTable", before, tables::slToVl)
                        : Phase.of("SLtoVLMappingTable", before, tables::slToVl));
        phases.add(Phase.of("VLArbitrationTable", "weights of VLs", tables::arbitration));
        phases.add(Phase.of("PortInfo of switch ports", "link parameters", ports::switchPorts));
        phases.add(aboveTop());
        phases.add(Phase.of("SwitchInfo", "LinearFDBTop and LifeTime", ports::switchSettings));
        phases.add(Phase.of(
                "LFT of new switches",
                "they forward nothing yet: any order is safe",
                () -> tables.linear(empty::get, this::wanted)));
        phases.add(Phase.of(
                "PortInfo: armed", "links with known ends", () -> ports.raise(PortState.INIT, PortState.ARMED)));
        phases.add(Phase.of(
                "PortInfo: active",
                "links whose both ends are armed",
                () -> ports.raise(PortState.ARMED, PortState.ACTIVE)));
        if (areOthersEarly) {
            phases.subList(first, phases.size()).replaceAll(Phase::unsettled);
        }
        return phases;
    }

    /** Returns the phases that change routes in use. */
    public List<Phase> forward() {
        List<Phase> phases = new ArrayList<>();
        BitSet drained = transition == null ? new BitSet() : transition.drained();
        if (transition == null) {
            phases.add(Phase.of("LFT", "new routes", () -> tables.linear(_ -> true, this::wanted)));
        } else {
            for (int round = 0; round <= transition.lastRound(); round++) {
                phases.add(round(transition, drained, round));
            }
        }
        phases.add(Phase.strict(
                "MFT: less",
                "branches that go, before others come: no ring in between",
                () -> tables.multicast(sw -> !empty.get(sw), Masks.LESS)));
        phases.add(Phase.of("MFT", "branches of groups", () -> tables.multicast(_ -> true, Masks.ALL)));
        phases.add(Phase.of("SwitchInfo: MulticastFDBTop", "what is beyond it is not looked up", ports::multicastTops));
        if (areOthersEarly) {
            phases.replaceAll(Phase::unsettled);
        }
        if (!drained.isEmpty()) {
            phases.add(Phase.of(
                    "LFT: drained", "new routes where packets on old ones are gone", () -> changes(this::wanted)));
        }
        return phases;
    }
}
