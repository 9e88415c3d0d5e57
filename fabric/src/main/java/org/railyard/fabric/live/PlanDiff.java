package org.railyard.fabric.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.VlCodes;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.NoTurningBack;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.route.SlToVlTables;

/**
 * What a running subnet has different from what was planned: by switch, LID and port. Nodes are matched by GUID, so
 * that a LID that is not the planned one is one difference, and not one in each table. Immutable.
 *
 * @param parts kinds of things that were compared
 * @param notCompared what was not compared, and why, one line each
 */
public record PlanDiff(List<Part> parts, List<String> notCompared) {
    /** Most differences of a part that are told. */
    public static final int MAX_TOLD = 10_000;

    /** Takes copies. */
    public PlanDiff {
        parts = List.copyOf(parts);
        notCompared = List.copyOf(notCompared);
    }

    /**
     * One kind of thing.
     *
     * @param name what it is
     * @param compared how many were compared
     * @param different how many of them differ, or are on one side only
     * @param lines the first differences, one line each
     */
    public record Part(String name, long compared, long different, List<String> lines) {
        /** Takes a copy. */
        public Part {
            lines = List.copyOf(lines);
        }
    }

    /** Tables of VL arbitration that are planned, by the kind of port. */
    public record PlannedArbitration(PortArbitration toSwitches, PortArbitration toEnds, PortArbitration ends) {}

    /** Returns whether nothing differs. */
    public boolean isEmpty() {
        return parts.stream().allMatch(part -> part.different == 0);
    }

    /**
     * Compares.
     *
     * @param fabric the fabric of the plan, with LIDs
     * @param plan its tables
     * @param arbitration its VL arbitration, if it is known
     * @param told most lines of each part, at most {@link #MAX_TOLD}
     */
    public static PlanDiff between(
            Fabric fabric, Routing plan, Optional<PlannedArbitration> arbitration, LiveSubnet live, int told) {
        return new Comparison(fabric, plan, live, Math.min(told, MAX_TOLD)).result(arbitration);
    }

    /** Counts, and keeps the first lines. */
    private static final class Counter {
        private final String name;
        private final int most;
        private final List<String> lines = new ArrayList<>();
        private long compared;
        private long different;

        Counter(String name, int most) {
            this.name = name;
            this.most = most;
        }

        /** Counts; the answer says whether a line is wanted. */
        boolean different() {
            different++;
            return lines.size() < most;
        }

        void tell(String line) {
            lines.add(line);
        }

        Part part() {
            return new Part(name, compared, different, lines);
        }
    }

    private static final class Comparison {
        private final Fabric fabric;
        private final Routing plan;
        private final LiveSubnet live;
        private final Fabric now;
        private final int told;
        /** Port index in the running subnet by port index of the plan, or {@link Fabric#NONE}. */
        private final int[] there;

        private final List<String> notCompared = new ArrayList<>();

        Comparison(Fabric fabric, Routing plan, LiveSubnet live, int told) {
            this.fabric = fabric;
            this.plan = plan;
            this.live = live;
            this.now = live.fabric();
            this.told = told;
            there = new int[fabric.portCount()];
            for (int port = 0; port < there.length; port++) {
                there[port] = counterpart(fabric, port, now);
            }
        }

        /** Returns the port of the same number on the node of the same GUID, if that is in some cable. */
        private static int counterpart(Fabric of, int port, Fabric in) {
            int node = in.nodeOfGuid(of.guid(of.nodeOf(port)));
            int number = of.portNumber(port);
            return node == Fabric.NONE
                            || in.type(node) != of.type(of.nodeOf(port))
                            || number > in.ports(node)
                            || !in.isConnected(node)
                    ? Fabric.NONE
                    : in.portIndex(node, number);
        }

        PlanDiff result(Optional<PlannedArbitration> arbitration) {
            List<Part> parts = new ArrayList<>(List.of(nodes(), cables(), lids()));
            live.forwarding()
                    .ifPresentOrElse(tables -> parts.add(forwarding(tables)), () -> notRead("forwarding entries"));
            live.slToVl().ifPresentOrElse(tables -> parts.add(slToVl(tables)), () -> notRead("SL to VL tables"));
            live.multicast().ifPresentOrElse(tables -> parts.add(multicast(tables)), () -> notRead("multicast masks"));
            live.sls().ifPresentOrElse(sls -> parts.add(sls(sls)), () -> notRead("SLs of paths"));
            if (live.arbitration().isEmpty()) {
                notRead("VL arbitration");
            } else {
                arbitration.ifPresentOrElse(
                        planned -> parts.add(arbitration(planned)),
                        () -> notCompared.add("VL arbitration: not planned"));
            }
            return new PlanDiff(parts, notCompared);
        }

        private void notRead(String what) {
            notCompared.add(what + ": not read");
        }

        private Part nodes() {
            Counter counter = new Counter("nodes", told);
            onlyIn(fabric, now, "planned, and not there", counter);
            onlyIn(now, fabric, "not planned", counter);
            return counter.part();
        }

        private static void onlyIn(Fabric one, Fabric other, String says, Counter counter) {
            for (int node = 0; node < one.nodeCount(); node++) {
                if (one.isConnected(node)) {
                    counter.compared++;
                    if (counterpart(one, one.portIndex(node, 0), other) == Fabric.NONE) {
                        if (counter.different()) {
                            counter.tell(named(one, node, says));
                        }
                    }
                }
            }
        }

        private static String named(Fabric fabric, int node, String says) {
            return "%s %s (0x%016x): %s"
                    .formatted(
                            fabric.isSwitch(node) ? "switch" : "node",
                            fabric.description(node),
                            fabric.guid(node),
                            says);
        }

        private Part cables() {
            Counter counter = new Counter("cables", told);
            for (int port = 0; port < there.length; port++) {
                int planned = fabric.peer(port);
                if (there[port] == Fabric.NONE || planned == Fabric.NONE) {
                    continue;
                }
                int found = now.peer(there[port]);
                boolean isSame = found != Fabric.NONE && found == there[planned];
                // Of a cable that is gone one end is told, of one that was moved each.
                boolean counts = planned > port || there[planned] == Fabric.NONE || !isSame && found != Fabric.NONE;
                counter.compared += counts ? 1 : 0;
                if (counts && !isSame) {
                    if (counter.different()) {
                        counter.tell("%s: planned to %s, %s"
                                .formatted(
                                        fabric.portName(port),
                                        fabric.portName(planned),
                                        found == Fabric.NONE ? "no link" : "goes to " + now.portName(found)));
                    }
                }
            }
            for (int port = 0; port < now.portCount(); port++) {
                int planned = counterpart(now, port, fabric);
                int found = now.peer(port);
                if (planned != Fabric.NONE && found > port && fabric.peer(planned) == Fabric.NONE) {
                    counter.compared++;
                    if (counter.different()) {
                        counter.tell(
                                "%s: no cable planned, goes to %s".formatted(now.portName(port), now.portName(found)));
                    }
                }
            }
            return counter.part();
        }

        private Part lids() {
            Counter counter = new Counter("LIDs", told);
            for (int port = 0; port < there.length; port++) {
                if (fabric.lid(port) == 0 || there[port] == Fabric.NONE) {
                    continue;
                }
                counter.compared++;
                if (fabric.lid(port) != now.lid(there[port]) || fabric.lmc(port) != now.lmc(there[port])) {
                    if (counter.different()) {
                        counter.tell("%s: LID %s planned, it has %s"
                                .formatted(
                                        fabric.portName(port),
                                        lidText(fabric.lid(port), fabric.lmc(port)),
                                        lidText(now.lid(there[port]), now.lmc(there[port]))));
                    }
                }
            }
            return counter.part();
        }

        private static String lidText(int lid, int lmc) {
            return lid == 0 ? "none" : lid + (lmc == 0 ? "" : " with LMC " + lmc);
        }

        private boolean bothHaveLid(int port) {
            return fabric.lid(port) != 0 && there[port] != Fabric.NONE && now.lid(there[port]) != 0;
        }

        private Part forwarding(ForwardingTables programmed) {
            Counter counter = new Counter("forwarding entries", told);
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                int own = there[fabric.portIndex(sw, 0)];
                for (int port = 0; own != Fabric.NONE && port < there.length; port++) {
                    if (bothHaveLid(port)) {
                        entries(sw, now.nodeOf(own), port, programmed, counter);
                    }
                }
            }
            return counter.part();
        }

        private void entries(int sw, int swNow, int port, ForwardingTables programmed, Counter counter) {
            int count = 1 << Math.min(fabric.lmc(port), now.lmc(there[port]));
            for (int i = 0; i < count; i++) {
                int wanted = plan.forwarding().port(sw, fabric.lid(port) + i);
                int found = programmed.port(swNow, now.lid(there[port]) + i);
                counter.compared++;
                if (wanted != found) {
                    if (counter.different()) {
                        counter.tell("%s, LID %d (%s): port %s planned, %s programmed"
                                .formatted(
                                        fabric.description(sw),
                                        now.lid(there[port]) + i,
                                        fabric.portName(port),
                                        portText(wanted),
                                        portText(found)));
                    }
                }
            }
        }

        private static String portText(int port) {
            return port == ForwardingTables.NO_PATH ? "none" : Integer.toString(port);
        }

        private Part slToVl(SlToVlTables programmed) {
            Counter counter = new Counter("SL to VL tables", told);
            SlToVl noTurningBack = new NoTurningBack(fabric, plan.slToVl());
            for (int port = 0; port < there.length; port++) {
                int node = fabric.nodeOf(port);
                if (there[port] == Fabric.NONE
                        || fabric.peer(port) == Fabric.NONE
                        || now.peer(there[port]) == Fabric.NONE) {
                    continue;
                }
                if (fabric.isSwitch(node)) {
                    outputs(node, port, programmed, noTurningBack, counter);
                } else if (programmed.isEndKnown(there[port])) {
                    table(
                            fabric.portName(port),
                            plan.slToVl().endTable(port),
                            programmed.endTable(there[port]),
                            counter);
                }
            }
            return counter.part();
        }

        /** Tables of inputs that have no cable mean nothing; packets that no route has may be dropped or not. */
        private void outputs(int sw, int out, SlToVlTables programmed, SlToVl noTurningBack, Counter counter) {
            int number = fabric.portNumber(out);
            for (int in = 0; in <= fabric.ports(sw); in++) {
                int from = there[fabric.portIndex(sw, in)];
                boolean isUsed = in == 0 || from != Fabric.NONE && now.peer(from) != Fabric.NONE;
                int swNow = now.nodeOf(there[out]);
                if (isUsed && from != Fabric.NONE && programmed.isKnown(swNow, in, number)) {
                    long found = programmed.table(swNow, in, number);
                    boolean drops = found == noTurningBack.table(sw, in, number);
                    table(
                            "%s, from port %d to port %d".formatted(fabric.description(sw), in, number),
                            drops ? found : plan.slToVl().table(sw, in, number),
                            found,
                            counter);
                }
            }
        }

        private static void table(String where, long wanted, long found, Counter counter) {
            counter.compared++;
            if (wanted != found) {
                if (counter.different()) {
                    counter.tell("%s: SL 0 to 15 to VL %s planned, %s programmed"
                            .formatted(where, vlText(wanted), vlText(found)));
                }
            }
        }

        private static String vlText(long table) {
            return IntStream.range(0, 16)
                    .mapToObj(sl -> Integer.toString(SlToVl.vl(table, sl)))
                    .collect(Collectors.joining(","));
        }

        /** Groups that nobody planned have members that came since. */
        private Part multicast(MulticastTables programmed) {
            Counter counter = new Counter("multicast masks", told);
            for (int mlid : plan.multicast().mlids()) {
                for (int sw = 0; sw < fabric.switchCount(); sw++) {
                    int own = there[fabric.portIndex(sw, 0)];
                    if (own == Fabric.NONE) {
                        continue;
                    }
                    PortMask wanted = mask(plan.multicast(), mlid, sw);
                    PortMask found = mask(programmed, mlid, now.nodeOf(own));
                    counter.compared++;
                    if (!wanted.equals(found)) {
                        if (counter.different()) {
                            counter.tell("%s, LID 0x%04X: ports %s planned, %s programmed"
                                    .formatted(fabric.description(sw), mlid, wanted, found));
                        }
                    }
                }
            }
            long others = programmed.mlids().stream()
                    .filter(mlid -> plan.multicast().tree(mlid) == null)
                    .count();
            if (others > 0) {
                notCompared.add("multicast masks of %d groups that are not planned".formatted(others));
            }
            return counter.part();
        }

        private static PortMask mask(MulticastTables tables, int mlid, int sw) {
            MulticastTables.Tree tree = tables.tree(mlid);
            return tree == null ? PortMask.EMPTY : tree.ports(sw);
        }

        private Part sls(PathSls answered) {
            Counter counter = new Counter("SLs of paths", told);
            for (int from : fabric.hosts()) {
                for (int to = 0; to < there.length; to++) {
                    if (from != to && bothHaveLid(from) && bothHaveLid(to)) {
                        int wanted = plan.sls().sl(fabric.lid(from), fabric.lid(to), 0);
                        int found = answered.sl(now.lid(there[from]), now.lid(there[to]), 0);
                        counter.compared++;
                        if (wanted != found) {
                            if (counter.different()) {
                                counter.tell("%s to %s: SL %s planned, %s answered"
                                        .formatted(
                                                fabric.portName(from),
                                                fabric.portName(to),
                                                slText(wanted),
                                                slText(found)));
                            }
                        }
                    }
                }
            }
            return counter.part();
        }

        private static String slText(int sl) {
            return sl == PathSls.NO_SL ? "none" : Integer.toString(sl);
        }

        private Part arbitration(PlannedArbitration planned) {
            Counter counter = new Counter("VL arbitration", told);
            for (int port = 0; port < there.length; port++) {
                PortArbitration found =
                        there[port] == Fabric.NONE ? null : live.arbitration().get(there[port]);
                int peer = fabric.peer(port);
                if (found == null || peer == Fabric.NONE || now.peer(there[port]) == Fabric.NONE) {
                    continue;
                }
                PortArbitration wanted = !fabric.isSwitch(fabric.nodeOf(port))
                        ? planned.ends
                        : fabric.isSwitch(fabric.nodeOf(peer)) ? planned.toSwitches : planned.toEnds;
                int vls = VlCodes.count(now.operVls(there[port]));
                counter.compared++;
                if (!found.of(wanted, vls).equals(found.of(found, vls))) {
                    if (counter.different()) {
                        counter.tell("%s: %s planned, %s programmed"
                                .formatted(fabric.portName(port), found.of(wanted, vls), found.of(found, vls)));
                    }
                }
            }
            return counter.part();
        }
    }
}
