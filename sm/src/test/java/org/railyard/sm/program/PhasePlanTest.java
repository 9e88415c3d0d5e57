package org.railyard.sm.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.SlToVl;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.MulticastForwardingTable;
import org.railyard.mad.smp.PortState;
import org.railyard.sm.subnet.ManagedNode;

/** What is emptied first and why, what comes in which order, and what is told of it (spec 41 §2.2). */
class PhasePlanTest {
    private static final int MILLIS = 1073;
    private static final int NOBODY = 9;

    /** To the hosts of the switches. */
    private static final int TO_0 = Ring.lid(0);

    private static final int TO_1 = Ring.lid(1);
    private static final int TO_2 = Ring.lid(2);

    private final Ring ring = new Ring();

    /** New routes that go round and old ones that do could wait for each other; neither do by themselves. */
    private void couldCloseALoop() {
        Ring.round(ring.held, TO_2, 2);
        Ring.round(ring.held, TO_1, 1);
        Ring.round(ring.wanted, TO_2, 2);
        Ring.round(ring.wanted, TO_0, 0);
    }

    private PhasePlan plan() {
        return ring.plan();
    }

    @Test
    void whereNothingIsKnownNothingHasToBeSaid() {
        PhasePlan plan = plan();
        assertThat(plan.notes()).isEmpty();
        assertThat(plan.needsNewSls()).isFalse();
        assertThat(Ring.names(plan.prepare())).noneMatch(name -> name.contains("drain") || name.contains("nobody"));
        assertThat(Ring.nodes(Ring.run(plan.forward(), "LFT")))
                .containsExactly("S-0", "S-1", "S-2", "S-0", "S-1", "S-2");
    }

    @Test
    void whatIsRightIsNotWritten() {
        ring.known();
        ring.knowVls(ring.slToVl);
        PhasePlan plan = plan();
        assertThat(plan.notes()).isEmpty();
        plan.forward().forEach(phase -> assertThat(Ring.run(phase)).isEmpty());
    }

    /** Switches 1 and 2 would send packets to each other while only the former has its new entry. */
    @Test
    void theSwitchThatIsNearerToTheDestinationComesFirst() {
        ring.held[2][TO_0] = Ring.BACK;
        Ring.round(ring.wanted, TO_0, 0);
        ring.known();
        ring.knowVls(ring.slToVl);
        PhasePlan plan = plan();
        assertThat(plan.notes())
                .containsExactly(
                        "the routes to 1 LID change: to 1 of them in up to 2 rounds, nearest to the destination"
                                + " first");
        List<Phase> forward = plan.forward();
        assertThat(Ring.names(forward)).startsWith("LFT round 1", "LFT round 2", "MFT: less");
        assertThat(forward.subList(0, 2)).allMatch(Phase::strict);
        Ring.run(forward.get(0));
        assertThat(ring.entries(TO_0)).containsExactly(Ring.HOST, Ring.BACK, Ring.NEXT);
        Ring.run(forward.get(1));
        assertThat(ring.entries(TO_0)).containsExactly(Ring.HOST, Ring.NEXT, Ring.NEXT);
    }

    @Test
    void onlyBlocksWithEntriesThatChangeAreWritten() {
        ring.held[1][70] = Ring.NEXT;
        ring.known();
        List<Update> sets = Ring.run(plan().forward(), "LFT");
        assertThat(Ring.nodes(sets)).containsExactly("S-1");
        assertThat(sets.getFirst().mad().modifier()).isEqualTo(1);
    }

    /** What nobody knows may be anything: it is emptied before it is looked up, and then written. */
    @Test
    void aBlockThatIsNotKnownIsEmptiedAndThenWritten() {
        ring.known();
        ring.nodes.get(1).held().forgetLinear(1);
        PhasePlan plan = plan();
        List<Update> emptied = Ring.run(plan.prepare(), "LFT above LinearFDBTop");
        assertThat(Ring.nodes(emptied)).containsExactly("S-1");
        assertThat(ring.entries(71)).containsExactly(Ring.NEXT, Ring.NO_PATH, Ring.BACK);
        assertThat(Ring.nodes(Ring.run(plan.forward(), "LFT"))).containsExactly("S-1");
        assertThat(ring.entries(71)).containsExactly(Ring.NEXT, 0, Ring.BACK);
    }

    @Test
    void switchesWithEntriesIntoDeadPortsComeFirst() {
        ring.held[0][TO_2] = Ring.FREE;
        ring.held[2][TO_1] = Ring.FREE;
        Ring.round(ring.wanted, TO_0, 0);
        ring.known();
        PhasePlan plan = plan();
        List<Update> sets = Ring.run(plan.forward(), "LFT");
        assertThat(Ring.nodes(sets)).containsExactly("S-0", "S-2", "S-1");
    }

    @Test
    void aCableThatIsGoneIsADeadPort() {
        ring.unlink(2, Ring.BACK);
        ring.wanted[1][TO_2] = Ring.BACK;
        ring.wanted[2][TO_1] = Ring.NEXT;
        ring.wanted[0][TO_2] = Ring.BACK;
        ring.held[0][TO_0] = 0;
        ring.known();
        assertThat(Ring.nodes(Ring.run(plan().forward(), "LFT"))).startsWith("S-1", "S-2");
    }

    /** Of LIDs that no order helps, the entries that change are empty until packets on old routes are gone. */
    @Test
    void whatCouldCloseALoopWithNewRoutesIsEmptiedFirst() {
        couldCloseALoop();
        ring.held[1][70] = Ring.NEXT;
        ring.known();
        ring.knowVls(ring.slToVl);
        PhasePlan plan = plan();
        assertThat(plan.notes())
                .containsExactly(
                        "the routes to 3 LIDs change; none of them has to be written in rounds",
                        "old and new routes together could close a credit loop: entries that change are empty for "
                                + MILLIS + " ms, for 2 LIDs: H-0/1, H-1/1");
        List<Phase> prepare = plan.prepare();
        assertThat(Ring.names(prepare)).startsWith("SwitchInfo", "LFT: drain", "P_KeyTable of switches");
        Phase drain = prepare.get(1);
        assertThat(drain.strict()).isTrue();
        assertThat(drain.settleNanos()).isEqualTo(4096L << Ring.LIFE_TIME);
        assertThat(Ring.nodes(Ring.run(drain))).containsExactly("S-1", "S-2");
        assertThat(ring.entries(TO_0)).containsExactly(Ring.HOST, Ring.NO_PATH, Ring.NEXT);
        assertThat(ring.entries(TO_1)).containsExactly(Ring.NEXT, Ring.HOST, Ring.NO_PATH);
        List<Phase> forward = plan.forward();
        assertThat(Ring.names(forward)).startsWith("LFT").endsWith("LFT: drained");
        Ring.run(forward.getFirst());
        assertThat(ring.entries(70)).as("not drained").containsExactly(0, Ring.BACK, Ring.NEXT);
        assertThat(ring.entries(TO_0)).containsExactly(Ring.HOST, Ring.NO_PATH, Ring.NEXT);
        Ring.run(forward.getLast());
        assertThat(ring.entries(TO_0)).containsExactly(Ring.HOST, Ring.NEXT, Ring.NEXT);
        assertThat(ring.entries(TO_1)).containsExactly(Ring.NEXT, Ring.HOST, Ring.BACK);
    }

    @Test
    void ofManyLidsThatAreEmptiedSomeAreNamed() {
        assertThat(drainedLids(2)).isEqualTo("for 8 LIDs: " + "H-0/1, ".repeat(4) + "H-1/1, ".repeat(3) + "H-1/1");
        assertThat(drainedLids(3)).isEqualTo("for 16 LIDs: " + "H-0/1, ".repeat(7) + "H-0/1 and others");
    }

    private static String drainedLids(int lmc) {
        Ring many = new Ring(lmc);
        for (int i = 0; i < 1 << lmc; i++) {
            Ring.round(many.held, (3 << lmc) + i, 2);
            Ring.round(many.held, (2 << lmc) + i, 1);
            Ring.round(many.wanted, (3 << lmc) + i, 2);
            Ring.round(many.wanted, (1 << lmc) + i, 0);
        }
        String told = many.known().plan().notes().getLast();
        return told.substring(told.indexOf("for " + (2 << lmc)));
    }

    /** Only what is written over routes that are drained waits for their packets. */
    @Test
    void othersNeedNotWaitWhereAllLinksAreUp() {
        couldCloseALoop();
        ring.known();
        List<Phase> prepare = plan().prepare();
        assertThat(prepare.subList(0, 2)).allMatch(Phase::settled);
        assertThat(prepare.subList(2, prepare.size())).noneMatch(Phase::settled);
        List<Phase> forward = plan().forward();
        assertThat(forward.subList(0, forward.size() - 1)).noneMatch(Phase::settled);
        assertThat(forward.getLast().settled()).isTrue();
    }

    /** If it does not come up, everything is routed again, from entries that are empty now. */
    @Test
    void allWaitIfALinkHasToComeUp() {
        couldCloseALoop();
        ring.known();
        ring.state(1, Ring.HOST, PortState.INIT);
        assertThat(plan().prepare()).allMatch(Phase::settled);
        assertThat(plan().forward()).allMatch(Phase::settled);
    }

    @Test
    void aSwitchThatForwardsNothingIsNotDrained() {
        couldCloseALoop();
        ring.know(1);
        ring.know(2);
        PhasePlan plan = plan();
        List<Phase> prepare = plan.prepare();
        for (Phase phase : prepare) {
            List<String> written = Ring.nodes(Ring.run(phase));
            if (phase.name().equals("LFT of new switches")) {
                assertThat(written).containsExactly("S-0", "S-0");
            } else if (phase.name().startsWith("LFT")) {
                assertThat(written).doesNotContain("S-0");
            }
        }
        assertThat(prepare).allMatch(Phase::settled);
    }

    /** Its tables are written in any order, and a refusal does not end the sweep. */
    @Test
    void aSwitchThatDidNotTakeItsFirstTablesGetsThemWithTheOthers() {
        ring.held[1][TO_0] = Ring.NEXT;
        ring.know(1);
        ring.know(2);
        assertThat(Ring.nodes(Ring.run(plan().forward(), "LFT"))).containsExactly("S-0", "S-1", "S-0");
    }

    /** Each host has its own SL; with the old VLs the first two share one, with the new ones the first and the last. */
    private void vlsChange() {
        for (int own = 0; own < Ring.SWITCHES; own++) {
            Ring.round(ring.held, Ring.lid(own), own);
            Ring.round(ring.wanted, Ring.lid(own), own);
        }
        ring.sls = new SlsByDestination();
        ring.slToVl = SlToVl.uniform(0x010);
        ring.known();
        ring.knowVls(SlToVl.uniform(0x100));
    }

    private record SlsByDestination() implements PathSls {
        @Override
        public int levels() {
            return 1;
        }

        @Override
        public int classes() {
            return Ring.SWITCHES;
        }

        @Override
        public int classOf(int lid) {
            return lid >= TO_0 && lid <= TO_2 ? lid - TO_0 : -1;
        }

        @Override
        public int classSl(int sourceClass, int destinationClass, int level) {
            return destinationClass;
        }
    }

    /** A group of all hosts. */
    static MulticastTables group() {
        TreeMap<Integer, MulticastTables.Tree> trees = new TreeMap<>();
        PortMask hosts = PortMask.of(Ring.HOST);
        trees.put(Lids.MIN_MULTICAST, new MulticastTables.Tree(0, new PortMask[] {hosts, hosts, hosts}));
        return new MulticastTables(trees);
    }

    private void holdGroup(int sw, int mask) {
        ring.nodes
                .get(sw)
                .held()
                .multicast(0, 0, MulticastForwardingTable.TYPE.create().set(MulticastForwardingTable.MASKS, 0, mask));
    }

    private int heldMask(int sw) {
        MulticastForwardingTable table = ring.nodes.get(sw).held().multicast(0, 0);
        return table == null ? -1 : table.getInt(MulticastForwardingTable.MASKS, 0);
    }

    @Test
    void whenNoRoutesChangeAndVlsCouldCloseALoopEverythingIsEmptied() {
        vlsChange();
        ring.multicast = group();
        for (int sw = 0; sw < Ring.SWITCHES; sw++) {
            holdGroup(sw, 1 << Ring.HOST);
        }
        PhasePlan plan = plan();
        assertThat(plan.notes())
                .containsExactly("old and new tables together could close a credit loop, whichever routes are emptied: "
                        + "all are empty for " + MILLIS + " ms, multicast too");
        List<Phase> prepare = plan.prepare();
        assertThat(Ring.names(prepare)).startsWith("SwitchInfo", "MFT: drain", "LFT: drain");
        Ring.run(prepare.get(1));
        assertThat(heldMask(1)).isZero();
        Ring.run(prepare.get(2));
        for (int lid : new int[] {TO_0, TO_1, TO_2, 70, 71, 72}) {
            assertThat(ring.entries(lid)).containsOnly(Ring.NO_PATH);
        }
        assertThat(prepare)
                .as("the proof is that of the new tables alone: not one old VL may stay")
                .filteredOn(phase -> phase.name().equals("SLtoVLMappingTable"))
                .allMatch(Phase::strict)
                .allMatch(Phase::settled);
        List<Phase> forward = plan.forward();
        Ring.run(forward, "MFT");
        assertThat(heldMask(1)).isEqualTo(1 << Ring.HOST);
        Ring.run(forward, "LFT: drained");
        assertThat(ring.entries(TO_0)).containsExactly(Ring.HOST, Ring.NEXT, Ring.NEXT);
    }

    @Test
    void aSwitchThatForwardsNothingHasNoGroupsToEmpty() {
        vlsChange();
        ring.nodes.get(2).held().forgetLinear(0);
        ring.nodes.get(2).held().forgetLinear(1);
        ring.multicast = group();
        PhasePlan plan = plan();
        List<Phase> phases = plan.prepare();
        assertThat(Ring.nodes(Ring.run(phases, "MFT: drain")))
                .contains("S-0", "S-1")
                .doesNotContain("S-2");
        assertThat(Ring.nodes(Ring.run(plan.forward(), "MFT: less"))).doesNotContain("S-2");
    }

    /** Branches go before others come; those of which nobody knows are taken for none. */
    @Test
    void branchesOfGroupsGoFirst() {
        ring.known();
        ring.multicast = group();
        holdGroup(0, 1 << Ring.NEXT | 1 << Ring.HOST);
        holdGroup(1, 1 << Ring.NEXT);
        PhasePlan plan = plan();
        Phase less = plan.forward().stream()
                .filter(phase -> phase.name().equals("MFT: less"))
                .findFirst()
                .orElseThrow();
        assertThat(less.strict()).isTrue();
        Ring.run(less);
        assertThat(List.of(heldMask(0), heldMask(1), heldMask(2))).containsExactly(1 << Ring.HOST, 0, 0);
        Ring.run(plan.forward(), "MFT");
        assertThat(List.of(heldMask(0), heldMask(1), heldMask(2))).containsOnly(1 << Ring.HOST);
    }

    /** The group is in the second block, and a port of it in the second column of masks. */
    @Test
    void groupsOfAllBlocksAndPortsOfAllColumnsAreWritten() {
        ring.known();
        int mlid = Lids.MIN_MULTICAST + MulticastForwardingTable.BLOCK + 7;
        TreeMap<Integer, MulticastTables.Tree> trees = new TreeMap<>();
        PortMask ports = PortMask.of(1, 15, 16, 18);
        trees.put(mlid, new MulticastTables.Tree(0, new PortMask[] {ports, PortMask.EMPTY, PortMask.EMPTY}));
        ring.multicast = new MulticastTables(trees);
        Ring.run(plan().forward(), "MFT");
        MulticastTables.Tree held = HeldRouting.of(ring.desired()).multicast().tree(mlid);
        assertThat(held).isNotNull().extracting(tree -> tree.ports(0)).isEqualTo(ports);
        assertThat(HeldRouting.of(ring.desired()).multicast().mlids()).containsExactly(mlid);
    }

    /** Behind a port is something that is up and that nobody can ask. */
    private void neighbourThatDoesNotAnswer(int sw) {
        ring.state(sw, Ring.FREE, PortState.ACTIVE);
    }

    @Test
    void nothingMayPassANeighbourThatDoesNotAnswer() {
        neighbourThatDoesNotAnswer(1);
        ring.held[1][TO_0] = Ring.FREE;
        ring.held[1][72] = Ring.FREE;
        ring.known();
        ring.knowVls(ring.slToVl);
        PhasePlan plan = plan();
        assertThat(plan.notes())
                .contains("entries of 1 switch into neighbours that are up and do not answer, such as S-1[4], are empty"
                        + " for " + MILLIS + " ms before others change: where these send packets is not known");
        List<Phase> prepare = plan.prepare();
        assertThat(Ring.names(prepare)).startsWith("SwitchInfo", "LFT: into what does not answer");
        Phase drain = prepare.get(1);
        assertThat(drain.strict()).isTrue();
        assertThat(drain.settleNanos()).isEqualTo(4096L << Ring.LIFE_TIME);
        assertThat(Ring.nodes(Ring.run(drain))).containsExactly("S-1", "S-1");
        assertThat(ring.entries(TO_0)).containsExactly(Ring.HOST, Ring.NO_PATH, Ring.NEXT);
        assertThat(ring.entries(72)).containsExactly(Ring.BACK, Ring.NO_PATH, 0);
        assertThat(ring.entries(TO_2)).as("all others stay").containsExactly(Ring.BACK, Ring.NEXT, Ring.HOST);
        assertThat(prepare).allMatch(Phase::settled);
    }

    /** It, or what is behind it, had the last LIDs, which are looked up until the switch is told of a lower top. */
    @Test
    void entriesAboveAllLidsInUseMayLeadToWhatDoesNotAnswer() {
        neighbourThatDoesNotAnswer(1);
        ring.known();
        LinearForwardingTable last = LinearForwardingTable.TYPE.create();
        ring.nodes.get(1).held().linear(2, last.set(LinearForwardingTable.PORTS, 63, Ring.FREE));
        ring.before = ring.routing();
        PhasePlan plan = plan();
        assertThat(plan.notes()).anyMatch(note -> note.contains("do not answer, such as S-1[4],"));
        Ring.run(plan.prepare(), "LFT: into what does not answer");
        assertThat(ring.entries(3 * 64 - 1)).containsOnly(Ring.NO_PATH);
    }

    @Test
    void aNeighbourWithoutEntriesOrWithoutLinkIsPassedByNobody() {
        neighbourThatDoesNotAnswer(1);
        ring.held[0][TO_1] = Ring.FREE;
        ring.known();
        assertThat(Ring.names(plan().prepare())).doesNotContain("LFT: into what does not answer");
    }

    @Test
    void aNeighbourOfASwitchThatForwardsNothingIsPassedByNobody() {
        ring.know(0);
        ring.know(2);
        neighbourThatDoesNotAnswer(1);
        assertThat(Ring.names(plan().prepare())).doesNotContain("LFT: into what does not answer");
    }

    /** The last port of switch 0 and the first one of switch 2; an entry beyond the last port leads nowhere. */
    @Test
    void anyPortMayLeadToWhatDoesNotAnswer() {
        ring.unlink(0, Ring.BACK);
        ring.state(0, Ring.BACK, PortState.ACTIVE);
        ring.held[0][TO_1] = Ring.PORTS + 1;
        ring.held[0][TO_0] = 0;
        ring.known();
        PhasePlan plan = plan();
        assertThat(plan.notes())
                .anyMatch(note ->
                        note.startsWith("entries of 2 switches into neighbours") && note.contains("such as S-0[18],"));
        Ring.run(plan.prepare(), "LFT: into what does not answer");
        assertThat(ring.entries(TO_2)).containsExactly(Ring.NO_PATH, Ring.NEXT, Ring.HOST);
        assertThat(ring.entries(TO_0)).containsExactly(0, Ring.BACK, Ring.NO_PATH);
        assertThat(ring.entries(TO_1)).containsExactly(Ring.PORTS + 1, Ring.HOST, Ring.BACK);
    }

    @Test
    void entriesOfLidsThatNobodyHasAreEmptiedWhereNoSlIsKnown() {
        ring.held[0][NOBODY] = Ring.NEXT;
        ring.held[1][NOBODY] = Ring.FREE;
        ring.known();
        ring.knowVls(ring.slToVl);
        PhasePlan plan = plan();
        assertThat(plan.notes())
                .contains("entries for 1 LID that no port has, such as 9, are empty for " + MILLIS
                        + " ms before others change: with which SL packets are sent there is not known");
        List<Phase> prepare = plan.prepare();
        assertThat(Ring.names(prepare)).startsWith("SwitchInfo", "LFT: to LIDs of nobody");
        Phase drain = prepare.get(1);
        assertThat(drain.strict()).isTrue();
        assertThat(drain.settleNanos()).isEqualTo(4096L << Ring.LIFE_TIME);
        assertThat(Ring.nodes(Ring.run(drain))).containsExactly("S-0", "S-1");
        assertThat(ring.entries(NOBODY)).containsOnly(Ring.NO_PATH);
        assertThat(ring.entries(TO_0)).containsExactly(Ring.HOST, Ring.BACK, Ring.NEXT);
        assertThat(prepare).allMatch(Phase::settled);
    }

    @Test
    void aSwitchThatForwardsNothingHasNoEntriesOfNobody() {
        ring.held[0][NOBODY] = Ring.NEXT;
        ring.know(0);
        ring.know(1);
        assertThat(Ring.nodes(Ring.run(plan().prepare(), "LFT: to LIDs of nobody")))
                .containsExactly("S-0");
    }

    @Test
    void packetsToALidThatWasRoutedBeforeAreInTheProof() {
        ring.held[0][NOBODY] = Ring.NEXT;
        ring.known();
        ring.before = ring.routing();
        assertThat(Ring.names(plan().prepare())).doesNotContain("LFT: to LIDs of nobody");
        ring.sls = new SlsByDestination();
        ring.before = ring.routing();
        assertThat(Ring.names(plan().prepare())).contains("LFT: to LIDs of nobody");
    }

    @Test
    void entriesThatLeadOutOfNoSwitchAreNoWay() {
        ring.held[0][NOBODY] = 0;
        ring.held[1][NOBODY] = Ring.PORTS + 1;
        ring.known();
        assertThat(Ring.names(plan().prepare())).doesNotContain("LFT: to LIDs of nobody");
        ring.held[1][NOBODY] = Ring.BACK;
        ring.held[2][NOBODY + 1] = Ring.NEXT;
        ring.known();
        assertThat(plan().notes()).anyMatch(note -> note.startsWith("entries for 2 LIDs that no port has, such as 9,"));
    }

    /** The host at switch 0 can not be asked. It goes on to send to that at switch 2, round by switch 1. */
    private void strangerSends(int its) {
        ring.unlink(0, Ring.HOST);
        ring.state(0, Ring.HOST, PortState.ACTIVE);
        int[] lids = new int[ring.fabric.portCount()];
        for (int port = 0; port < lids.length; port++) {
            lids[port] = ring.fabric.lid(port) == TO_0 ? 0 : ring.fabric.lid(port);
        }
        ring.fabric = ring.fabric.withLids(lids, new int[lids.length]);
        for (int sw = 0; sw < Ring.SWITCHES; sw++) {
            ring.wanted[sw][TO_0] = (byte) Ring.NO_PATH;
        }
        Ring.round(ring.held, TO_0, 0);
        Ring.round(ring.held, TO_2, 2);
        Ring.round(ring.wanted, TO_2, 2);
        Ring.round(ring.wanted, TO_1, 1);
        ring.known();
        ring.before = ring.routing();
        ring.nodes.get(0).lastHost(Ring.HOST, new ManagedNode.Host(its, ring.sls));
    }

    @Test
    void packetsOfAHostThatDoesNotAnswerCount() {
        strangerSends(TO_0);
        assertThat(Ring.names(plan().prepare())).contains("LFT: drain");
        assertThat(plan().notes()).last().asString().endsWith("for 2 LIDs: LID 1 of a port that is gone, H-1/1");
    }

    /** It is at another port now, and sends from there. */
    @Test
    void aHostThatWasFoundElsewhereIsNotThereAnyMore() {
        strangerSends(TO_1);
        assertThat(Ring.names(plan().prepare())).doesNotContain("LFT: drain");
    }

    @Test
    void aHostWhoseLinkIsDownSendsNothing() {
        strangerSends(TO_0);
        ring.state(0, Ring.HOST, PortState.DOWN);
        assertThat(Ring.names(plan().prepare())).doesNotContain("LFT: drain");
    }

    @Test
    void vlsThatAreNotKnownAreTold() {
        ring.known();
        assertThat(plan().notes())
                .containsExactly("SL to VL tables of 3 switches are not known: the change is proved only if they are"
                        + " right already");
        ring.knowVls(ring.slToVl);
        ring.nodes.get(1).held().forgetSlToVl(Ring.NEXT, Ring.NEXT);
        ring.nodes.get(1).held().forgetSlToVl(Ring.NEXT, Ring.FREE);
        ring.nodes.get(1).held().forgetSlToVl(Ring.FREE, Ring.HOST);
        assertThat(plan().notes()).as("no packet passes these").isEmpty();
        ring.nodes.get(1).held().forgetSlToVl(Ring.HOST, Ring.BACK);
        assertThat(plan().notes()).singleElement().asString().contains("of 1 switch are not known");
        ring.state(1, Ring.BACK, PortState.ARMED);
        assertThat(plan().notes()).as("nor this, now").isEmpty();
    }

    @Test
    void whatASwitchThatForwardsNothingDoesWithVlsIsNotGuessed() {
        ring.know(0);
        ring.know(2);
        assertThat(plan().notes()).singleElement().asString().contains("of 2 switches are not known");
    }

    @Test
    void oldTablesThatCloseALoopByThemselvesAreTold() {
        for (int own = 0; own < Ring.SWITCHES; own++) {
            Ring.round(ring.held, Ring.lid(own), own);
        }
        ring.known();
        ring.knowVls(ring.slToVl);
        PhasePlan plan = plan();
        assertThat(plan.notes())
                .startsWith("the change is not proved: the tables that switches have close a loop by themselves");
        assertThat(plan.notes()).noneMatch(note -> note.contains("SL that their path had before"));
        assertThat(plan.needsNewSls()).isFalse();
    }

    /** Senders go on with one SL for all until they have asked for their paths again. */
    @Test
    void newTablesThatCloseALoopWithOldSlsAreTold() {
        for (int own = 0; own < Ring.SWITCHES; own++) {
            Ring.round(ring.wanted, Ring.lid(own), own);
        }
        ring.before = ring.routing();
        ring.sls = new SlsByDestination();
        ring.slToVl = SlToVl.uniform(0x100);
        ring.known();
        ring.knowVls(ring.slToVl);
        PhasePlan plan = plan();
        assertThat(plan.notes())
                .anyMatch(note -> note.startsWith("the change is not proved: packets with the SL that their path had"))
                .noneMatch(note -> note.contains("loop by themselves"));
        assertThat(plan.needsNewSls()).isTrue();
    }
}
