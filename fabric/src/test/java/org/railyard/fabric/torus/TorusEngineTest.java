package org.railyard.fabric.torus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.analysis.TablePath;
import org.railyard.fabric.engine.DorEngine;
import org.railyard.fabric.engine.MinHopEngine;
import org.railyard.fabric.engine.UpDownEngine;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.RoutingEngine;
import org.railyard.fabric.route.RoutingResult;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.SeedLink;
import org.railyard.fabric.torus.conf.SeedRules;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.fabric.torus.conf.TorusSeed;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;
import org.railyard.fabric.torus.tables.TorusPath;
import org.railyard.testkit.Requirement;

/** The engine on made-up fabrics: tables, balance, service levels, refusals, change report. */
class TorusEngineTest {
    private static final TorusShape SHAPE = TorusShape.torus(5, 4, 3);

    @Test
    @Requirement({"t2q-006", "t2q-012"})
    void noFailureChangesAnSl() {
        TestTorus torus = new TestTorus(SHAPE);
        Fabric whole = torus.fabric();
        Routing before = routing(whole, torus.conf());
        for (int hole : new int[] {17, 40, 59}) {
            TestTorus failing = new TestTorus(SHAPE).without(hole).withoutCables(3, TorusGroup.plus(0), 1);
            Fabric failed = failing.fabric();
            Routing after = routing(failed, failing.conf());
            assertSlsStay(whole, before, failed, after);
        }
    }

    @Test
    @Requirement({"t2q-011", "t2q-012"})
    void severalBrokenGroupsLeaveTheTablesCleanAndTheSlsAsTheyAre() {
        TestTorus torus = new TestTorus(SHAPE);
        Fabric whole = torus.fabric();
        TestTorus failing = new TestTorus(SHAPE)
                .withoutCables(SHAPE.position(2, 1, 0), TorusGroup.plus(0), 1)
                .withoutCables(SHAPE.position(4, 2, 2), TorusGroup.plus(0), 1)
                .withoutCables(SHAPE.position(2, 1, 1), TorusGroup.plus(1), 1)
                .withoutCables(SHAPE.position(3, 3, 2), TorusGroup.plus(1), 1)
                .withoutCables(SHAPE.position(3, 2, 0), TorusGroup.plus(2), 1);
        Fabric failed = failing.fabric();
        Routing after = routing(failed, failing.conf());
        CheckReport report = CreditLoopCheck.check(failed, after, CheckOptions.DEFAULT.withSwitchPorts(true));
        assertThat(report.verdict()).as(report.loops() + " " + report.faults()).isEqualTo(CheckReport.Verdict.CLEAN);
        assertSlsStay(whole, routing(whole, torus.conf()), failed, after);
    }

    private static void assertSlsStay(Fabric whole, Routing before, Fabric failed, Routing after) {
        Map<Long, Integer> oldLids = lids(whole);
        Map<Long, Integer> newLids = lids(failed);
        assertThat(newLids).hasSizeGreaterThan(SHAPE.positions());
        newLids.forEach((source, sourceLid) -> newLids.forEach((target, targetLid) -> {
            for (int hint : new int[] {0, 8}) {
                assertThat(after.sls().sl(sourceLid, targetLid, hint))
                        .isEqualTo(before.sls()
                                .sl(oldLids.getOrDefault(source, 0), oldLids.getOrDefault(target, 0), hint));
            }
        }));
    }

    /** Returns LIDs by port GUID, as far as a switch serves the port. */
    private static Map<Long, Integer> lids(Fabric fabric) {
        Map<Long, Integer> lids = new HashMap<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.lid(port) != 0 && fabric.switchOf(port) != Fabric.NONE) {
                lids.put(fabric.portGuid(port), fabric.lid(port));
            }
        }
        return lids;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @Requirement("t2q-102")
    void everyLidIsReachedAndParallelCablesAreBalanced(int cables) {
        TestTorus torus = new TestTorus(SHAPE)
                .hosts(3)
                .cables(cables)
                .lmc(1)
                .permuted(new SplittableRandom(3))
                .withoutCables(7, TorusGroup.plus(1), cables - 1);
        Fabric fabric = torus.fabric();
        TorusPlan plan = plan(fabric, torus.conf());
        Routing routing = plan.routing(List.of());
        for (int at = 0; at < fabric.switchCount(); at++) {
            Map<String, Integer> load = new HashMap<>();
            for (int lid = 1; lid <= fabric.maxLid(); lid++) {
                int port = fabric.portOfLid(lid);
                int exit = routing.forwarding().port(at, lid);
                if (port == Fabric.NONE) {
                    assertThat(exit).as("LID %d is nobody's", lid).isEqualTo(ForwardingTables.NO_PATH);
                    continue;
                }
                int position = plan.placement().positionOf(at);
                int target = plan.placement().positionOf(fabric.switchOf(port));
                int group = plan.order().nextGroup(position, target);
                if (group == TorusGroup.END) {
                    assertThat(exit).isEqualTo(fabric.switchPortOf(port));
                } else {
                    assertThat(exit).isBetween(torus.port(group, 0), torus.port(group, cables - 1));
                    assertThat(exit).isEqualTo(routing.forwarding().port(at, fabric.lid(port)));
                    if (lid == fabric.lid(port)) {
                        load.merge(
                                (fabric.isSwitch(fabric.nodeOf(port)) ? "switch " : "host ") + exit, 1, Integer::sum);
                    }
                }
            }
            assertBalanced(load, torus, plan, at, cables);
        }
    }

    private static void assertBalanced(Map<String, Integer> load, TestTorus torus, TorusPlan plan, int at, int cables) {
        int position = plan.placement().positionOf(at);
        for (String kind : new String[] {"switch ", "host "}) {
            for (int group = 0; group < TorusGroup.COUNT; group++) {
                if (plan.placement().cables(position, group) == cables) {
                    List<Integer> loads = new ArrayList<>();
                    for (int cable = 0; cable < cables; cable++) {
                        loads.add(load.getOrDefault(kind + torus.port(group, cable), 0));
                    }
                    assertThat(Collections.max(loads) - Collections.min(loads)).isLessThanOrEqualTo(1);
                }
            }
        }
    }

    @Test
    @Requirement("t2q-102")
    void portOrderSaysWhichHostGetsWhichCable() {
        TorusShape shape = TorusShape.torus(3, 3, 1);
        TestTorus torus = new TestTorus(shape).hosts(4).cables(2);
        Fabric fabric = torus.fabric();
        TorusConf conf = torus.conf();
        TorusConf ordered = new TorusConf(shape, conf.seeds(), 255, List.of(1, 3, 2, 4), 32);
        int neighbour = fabric.nodeOfGuid(torus.guid(1));
        List<List<Integer>> exits = new ArrayList<>();
        for (TorusConf each : List.of(conf, ordered)) {
            Routing routing = routing(fabric, each);
            List<Integer> ports = new ArrayList<>();
            for (int host = 1; host <= 4; host++) {
                int lid = fabric.lid(fabric.peer(fabric.portIndex(neighbour, host)));
                ports.add(routing.forwarding().port(fabric.nodeOfGuid(torus.guid(0)), lid));
            }
            exits.add(ports);
        }
        int first = torus.port(TorusGroup.plus(0), 0);
        assertThat(exits.getFirst()).containsExactly(first, first + 1, first, first + 1);
        assertThat(exits.getLast()).containsExactly(first, first, first + 1, first + 1);
    }

    /** As many as {@code portgroup_max_ports}, and no more. */
    @Test
    void portsOfASwitchAndCablesToANeighbourAreLimited() {
        TorusShape shape = TorusShape.torus(3, 3, 1);
        TestTorus hosts = new TestTorus(shape).hosts(4).cables(3);
        assertThat(codes(hosts, 5, List.of())).as("four and port 0").isEmpty();
        assertThat(codes(hosts, 4, List.of())).containsOnly("4E1E").hasSize(9);
        TestTorus cables = new TestTorus(shape).hosts(1).cables(3);
        assertThat(codes(cables, 3, List.of())).isEmpty();
        assertThat(codes(cables, 2, List.of())).containsOnly("4E18").hasSize(4 * 9);
    }

    /** Of P ports and port 0 OpenSM takes the first P + 1 names. */
    @Test
    void aPortOrderNamesPortsThatAreThere() {
        TestTorus torus = new TestTorus(TorusShape.torus(3, 3, 1)).hosts(2);
        int last = torus.fabric().ports(0);
        List<Integer> all = IntStream.rangeClosed(0, last).boxed().toList();
        assertThat(codes(torus, 255, all.reversed())).isEmpty();
        assertThat(codes(torus, 255, List.of(last + 1))).containsExactly("4E21");
        List<Integer> order = new ArrayList<>(all);
        order.set(last, last + 1);
        assertThat(codes(torus, 255, order)).containsExactly("4E21");
        order.addFirst(last);
        assertThat(codes(torus, 255, order)).as("it comes too late to count").isEmpty();
    }

    private static List<String> codes(TestTorus torus, int maxPorts, List<Integer> portOrder) {
        TorusConf plain = torus.conf();
        TorusConf conf = new TorusConf(plain.shape(), plain.seeds(), maxPorts, portOrder, plain.maxChanges());
        RoutingResult result = new TorusEngine(conf, TorusOptions.DEFAULT).route(torus.fabric(), EngineOptions.DEFAULT);
        return result instanceof Refusal refusal
                ? refusal.reasons().stream().map(Refusal.Reason::code).toList()
                : List.of();
    }

    @Test
    @Requirement({"t2q-009", "t2q-036", "t2q-103"})
    void slToVlFollowsThePortsClasses() {
        TestTorus torus = new TestTorus(SHAPE);
        Fabric fabric = torus.fabric();
        SlToVl slToVl = routing(fabric, torus.conf()).slToVl();
        int z = torus.port(TorusGroup.plus(2), 0);
        int x = torus.port(TorusGroup.minus(0), 0);
        assertThat(slToVl.table(0, z, x)).isEqualTo(SlToVl.pack(2, 3, 2, 3, 2, 3, 2, 3, 6, 7, 6, 7, 6, 7, 6, 7));
        assertThat(slToVl.table(0, 1, x)).isEqualTo(slToVl.table(0, 0, x)).isEqualTo(slToVl.table(0, x, x));
        assertThat(slToVl.table(0, x, 1)).isEqualTo(SlToVl.pack(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1));
        int host = fabric.peer(fabric.portIndex(0, 1));
        assertThat(slToVl.endTable(host)).isEqualTo(slToVl.table(0, x, 1));
    }

    @Test
    @Requirement({"t2q-034", "t2q-041"})
    void oneLevelKeepsUnicastOffTheMulticastVls() {
        TestTorus torus = new TestTorus(SHAPE);
        Fabric fabric = torus.fabric();
        EngineOptions oneLevel = new EngineOptions(5, 1, List.of());
        Routing apart = (Routing) new TorusEngine(torus.conf(), TorusOptions.DEFAULT).route(fabric, oneLevel);
        Routing shared = (Routing)
                new TorusEngine(torus.conf(), TorusOptions.DEFAULT).route(fabric, new EngineOptions(3, 1, List.of()));
        for (int source = 1; source <= fabric.maxLid(); source++) {
            for (int target = 1; target <= fabric.maxLid(); target++) {
                assertThat(apart.sls().sl(source, target, 0)).isBetween(8, 15);
                assertThat(shared.sls().sl(source, target, 8)).isBetween(0, 7);
            }
        }
        assertThat(vlsBetweenSwitches(fabric, apart)).isEqualTo(Set.of(4, 5));
        assertThat(vlsBetweenSwitches(fabric, shared)).isEqualTo(Set.of(0, 1));
    }

    private static Set<Integer> vlsBetweenSwitches(Fabric fabric, Routing routing) {
        Set<Integer> vls = new TreeSet<>();
        for (int source = 1; source <= fabric.maxLid(); source++) {
            for (int target = 1; target <= fabric.maxLid(); target++) {
                int from = fabric.portOfLid(source);
                if (source != target && fabric.portOfLid(target) != Fabric.NONE && from != Fabric.NONE) {
                    TablePath path = TablePath.follow(
                            fabric, routing, from, target, routing.sls().sl(source, target, 0));
                    path.hops().stream()
                            .filter(hop -> fabric.isSwitch(fabric.nodeOf(hop.port())))
                            .filter(hop -> fabric.isSwitch(fabric.nodeOf(fabric.peer(hop.port()))))
                            .forEach(hop -> vls.add(hop.vl()));
                }
            }
        }
        return vls;
    }

    @Test
    @Requirement({"t2q-008", "t2q-032"})
    void groupsHaveAnSlWithoutDatelineBits() {
        TestTorus torus = new TestTorus(SHAPE);
        Fabric fabric = torus.fabric();
        EngineOptions wrong = EngineOptions.DEFAULT.withGroups(List.of(new MulticastGroup(0xC007, 3, List.of())));
        assertThat(refusal(fabric, torus.conf(), wrong).reasons().getFirst().text())
                .contains("0xc007")
                .contains("SL 0 or 8");
    }

    @Test
    void groupsAreBranchesOfTheMasterTree() {
        TestTorus torus = new TestTorus(SHAPE).cables(2);
        Fabric fabric = torus.fabric();
        List<Integer> members = new ArrayList<>();
        for (int position : new int[] {0, 13, 58}) {
            members.add(fabric.peer(fabric.portIndex(fabric.nodeOfGuid(torus.guid(position)), 1)));
        }
        members.add(fabric.portIndex(fabric.nodeOfGuid(torus.guid(30)), 0));
        Routing routing = (Routing) new TorusEngine(torus.conf(), TorusOptions.DEFAULT)
                .route(fabric, EngineOptions.DEFAULT.withGroups(List.of(new MulticastGroup(0xC001, 0, members))));
        assertThat(GroupWalk.reached(fabric, routing, 0xC001, members.getFirst()))
                .containsExactlyInAnyOrderElementsOf(members);
    }

    @Test
    @Requirement({"t2q-004", "t2q-038", "t2q-108"})
    void fewVlsAreRefusedOrWarnedAbout() {
        TestTorus torus = new TestTorus(SHAPE);
        Fabric fabric = torus.fabric();
        assertThat(refusal(fabric, torus.conf(), new EngineOptions(1, 2, List.of()))
                        .reasons())
                .extracting(Refusal.Reason::code)
                .containsExactly("4E48");
        assertThat(notes(fabric, torus, 2)).anyMatch(note -> note.contains("no failed switch can be routed around"));
        assertThat(notes(fabric, torus, 3))
                .noneMatch(note -> note.contains("no failed switch"))
                .anyMatch(note -> note.contains("both QoS levels share them"));
        assertThat(notes(fabric, torus, 4)).noneMatch(note -> note.startsWith("warning"));
        Fabric four = new TestTorus(SHAPE).vlCap(3).fabric();
        assertThat(notes(four, torus, 5))
                .anyMatch(note -> note.startsWith("data VLs: 4 between switches, 4 at end ports"));
        Fabric mixed = new TestTorus(SHAPE).vlCapOf(7, 3).vlCapOf(22, 2).fabric();
        assertThat(notes(mixed, torus, 5))
                .as("the smallest number anywhere")
                .anyMatch(note -> note.startsWith("data VLs: 2 between switches, 8 at end ports"));
    }

    private static List<String> notes(Fabric fabric, TestTorus torus, int maxOpVls) {
        RoutingResult result = new TorusEngine(torus.conf(), TorusOptions.DEFAULT)
                .route(fabric, new EngineOptions(maxOpVls, 2, List.of()));
        return ((Routing) result).notes();
    }

    @Test
    void aPortWithFewerVlsIsAcceptedOnlyIfTheTablesAreProved() {
        TorusShape shape = TorusShape.torus(5, 5, 1);
        int hole = shape.position(2, 2, 0);
        TestTorus bearable = new TestTorus(shape).narrow(0, TorusGroup.plus(0), 2);
        assertThat(plan(bearable.fabric(), bearable.conf()).tree()).isPresent();
        TestTorus torus = new TestTorus(shape).without(hole);
        for (int position = 0; position < shape.positions(); position++) {
            torus.narrow(position, TorusGroup.plus(0), 2).narrow(position, TorusGroup.plus(1), 1);
        }
        assertThat(texts(refusal(torus.fabric(), torus.conf(), EngineOptions.DEFAULT)))
                .contains("runs with fewer VLs than the other ports")
                .contains("look at its OperVLs");
    }

    @Test
    void aGroupMayTakeEachOfSeveralCablesAlsoOneWithFewerVls() {
        TorusShape shape = TorusShape.torus(5, 5, 1);
        TestTorus torus = new TestTorus(shape).cables(2).without(shape.position(4, 1, 0));
        assertThat(plan(torus.fabric(), torus.conf()).tree()).isPresent();
        torus.narrow(shape.position(3, 0, 0), TorusGroup.plus(0), 1, 1);
        // Groups with an even LID take the other cable, and close no loop.
        assertThat(texts(refusal(torus.fabric(), torus.conf(), EngineOptions.DEFAULT)))
                .contains("runs with fewer VLs than the other ports");
    }

    @Test
    void aRadixThatIsTooBigOrTooSmallIsNamed() {
        TestTorus torus = new TestTorus(TorusShape.torus(5, 6, 1));
        Fabric fabric = torus.fabric();
        TorusConf big = new TorusConf(TorusShape.torus(6, 6, 1), List.of(torus.seed(0)), 255, List.of(), 32);
        assertThat(refusal(fabric, big, EngineOptions.DEFAULT).reasons())
                .as("nothing else")
                .singleElement()
                .extracting(Refusal.Reason::text)
                .asString()
                .contains("the radix of x is 6 in the configuration, but less in the fabric");
        SeedWithBothX seed = new SeedWithBothX(torus);
        TorusConf small = new TorusConf(TorusShape.torus(4, 6, 1), List.of(seed.withMinusX()), 255, List.of(), 32);
        assertThat(texts(refusal(fabric, small, EngineOptions.DEFAULT)))
                .contains("have no place in the 4 x 6 x 1 torus");
    }

    /** The seed of a 5 × 6 torus at the origin with both x links, as radix 4 needs them. */
    private record SeedWithBothX(TestTorus torus) {
        TorusSeed withMinusX() {
            TreeMap<Integer, SeedLink> links = new TreeMap<>(torus.seed(0).links());
            links.put(TorusGroup.minus(0), new SeedLink(torus.guid(0), torus.guid(4)));
            return new TorusSeed(links, 0, 0, 0);
        }
    }

    @Test
    void aSeedThatNamesTheWrongNeighbourIsNamed() {
        TestTorus torus = new TestTorus(SHAPE);
        TreeMap<Integer, SeedLink> links = new TreeMap<>(torus.seed(0).links());
        links.put(TorusGroup.plus(2), new SeedLink(torus.guid(0), torus.guid(7)));
        TorusConf wrong = new TorusConf(SHAPE, List.of(new TorusSeed(links, 0, 0, 0)), 255, List.of(), 32);
        assertThat(texts(refusal(torus.fabric(), wrong, EngineOptions.DEFAULT)))
                .contains("have no place in the 5 x 4 x 3 torus")
                .contains("no cable joins the switches of zp_link " + SeedRules.hex(torus.guid(0)) + " "
                        + SeedRules.hex(torus.guid(7)) + " of seed 0");
    }

    @Test
    void aConfigurationOfAnotherFabricAndTooManyPortsAreNamed() {
        TestTorus torus = new TestTorus(SHAPE).hosts(4);
        Fabric fabric = torus.fabric();
        TorusConf conf = TorusConfParser.parse("torus 5 4 3\nxp_link 1 2\nyp_link 1 3\nym_link 1 4\nzp_link 1 5\n");
        assertThat(texts(refusal(fabric, conf, EngineOptions.DEFAULT)))
                .contains("seed 0 lacks 0x1")
                .contains("another fabric");
        TorusConf few = new TorusConf(SHAPE, torus.conf().seeds(), 4, List.of(), 32);
        assertThat(refusal(fabric, few, EngineOptions.DEFAULT).reasons().getFirst())
                .isEqualTo(new Refusal.Reason(
                        "4E1E",
                        "S(0,0,0) has 5 end ports, port 0 included, more than portgroup_max_ports 4; "
                                + "set portgroup_max_ports to 5"));
        TorusConf order = new TorusConf(SHAPE, torus.conf().seeds(), 16, List.of(36), 32);
        assertThat(refusal(fabric, order, EngineOptions.DEFAULT)
                        .reasons()
                        .getFirst()
                        .code())
                .isEqualTo("4E21");
    }

    @Test
    void aPathIsExplainedHopByHop() {
        TestTorus torus = new TestTorus(SHAPE).without(SHAPE.position(2, 1, 0));
        Fabric fabric = torus.fabric();
        TorusPlan plan = plan(fabric, torus.conf());
        int from = fabric.nodeOfGuid(torus.guid(SHAPE.position(1, 1, 0)));
        int to = fabric.nodeOfGuid(torus.guid(SHAPE.position(2, 3, 0)));
        TorusPath path = plan.path(from, to, 8).orElseThrow();
        assertThat(path.sl()).isEqualTo(8);
        assertThat(path.hops())
                .extracting(hop -> TorusGroup.name(hop.group()) + " vl " + hop.vl() + " " + hop.reason())
                .containsExactly("+y vl 4 EARLY_TURN", "+x vl 6 ILLEGAL_TURN", "+y vl 4 SHORT_WAY");
        assertThat(path.hops().getFirst().reason().text()).startsWith("early turn");
        int gone = fabric.nodeOfGuid(torus.guid(SHAPE.position(2, 1, 0)));
        assertThat(plan.path(from, gone, 0)).isEmpty();
    }

    @Test
    @Requirement("t2q-105")
    void changesBetweenTwoRunsAreReported() {
        TestTorus torus = new TestTorus(SHAPE);
        TorusPlan whole = plan(torus.fabric(), torus.conf());
        TestTorus damaged = new TestTorus(SHAPE).without(33).withoutCables(3, TorusGroup.plus(0), 1);
        TorusPlan failed = plan(damaged.fabric(), damaged.conf());
        assertThat(TorusChanges.between(whole, whole)).isEmpty();
        List<String> lost = TorusChanges.between(whole, failed);
        assertThat(lost)
                .contains("lost switch at (3,2,1) GUID 0x200021")
                .contains("port 3 of switch (3,0,0) lost GUID 0x200004 port 2")
                .hasSize(1 + 6 + 2);
        assertThat(TorusChanges.between(failed, whole)).contains("new switch at (3,2,1) GUID 0x200021");
        TorusConf brief = new TorusConf(SHAPE, damaged.conf().seeds(), 255, List.of(), 2);
        assertThat(TorusChanges.between(whole, plan(damaged.fabric(), brief)))
                .hasSize(3)
                .endsWith("too many changes: 7 more");
        TestTorus other = new TestTorus(TorusShape.torus(3, 3, 3));
        assertThat(TorusChanges.between(whole, plan(other.fabric(), other.conf())))
                .containsExactly("radices changed from 5 x 4 x 3 to 3 x 3 x 3: positions are not compared");
    }

    @Test
    @Requirement("t2q-101")
    void aBackupSeedWithMovedDatelinesGivesTheSameCoordinatesAndSls() {
        TestTorus torus = new TestTorus(SHAPE).without(0);
        Fabric fabric = torus.fabric();
        int backup = SHAPE.position(2, 1, 2);
        TorusConf conf =
                new TorusConf(SHAPE, List.of(new TestTorus(SHAPE).seed(0), torus.seed(backup)), 255, List.of(), 32);
        // The switch of the default seed is there, but has no cables.
        TorusPlan plan = plan(fabric, conf);
        assertThat(plan.placement().seed()).isEqualTo(1);
        for (int position = 1; position < SHAPE.positions(); position++) {
            assertThat(fabric.guid(plan.placement().switchAt(position))).isEqualTo(torus.guid(position));
        }
        assertSlsStay(
                new TestTorus(SHAPE).fabric(),
                routing(new TestTorus(SHAPE).fabric(), torus.conf()),
                fabric,
                plan.routing(List.of()));
    }

    @Test
    @Requirement("t2q-002")
    void hundredsOfSwitchesAreRoutedAndProved() {
        TestTorus torus = new TestTorus(TorusShape.torus(8, 8, 8)).permuted(new SplittableRandom(8));
        Fabric fabric = torus.fabric();
        Routing routing = routing(fabric, torus.conf());
        CheckReport report = CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT);
        assertThat(report.verdict()).isEqualTo(CheckReport.Verdict.CLEAN);
        assertThat(report.channels()).as("both levels").isEqualTo(2 * 4608);
        assertThat(report.dependencies()).isEqualTo(2 * 13440);
    }

    @Test
    @Requirement("t2q-043")
    void aRunLeavesNothingBehind() {
        TestTorus torus = new TestTorus(SHAPE).cables(2);
        Fabric fabric = torus.fabric();
        TorusEngine engine = new TorusEngine(torus.conf(), TorusOptions.DEFAULT);
        List<RoutingEngine> others = List.of(new MinHopEngine(), new DorEngine(), new UpDownEngine(List.of()));
        Routing first = routed(engine, fabric);
        List<Routing> before =
                others.stream().map(other -> routed(other, torus.fabric())).toList();
        engine.route(new TestTorus(SHAPE).without(30).fabric(), EngineOptions.DEFAULT);
        for (int i = 0; i < others.size(); i++) {
            assertSameTables(fabric, routed(others.get(i), fabric), before.get(i));
        }
        assertSameTables(fabric, routed(engine, fabric), first);
        assertThat(engine.name()).isEqualTo("torus-2QoS");
    }

    @ParameterizedTest
    @EnumSource(TorusOptions.Acceptance.class)
    void tablesAndRefusalsNameTheEngineThatMadeThem(TorusOptions.Acceptance acceptance) {
        SampleTorus torus = SampleTorus.torus(5, 5, 1, 1);
        String conf = torus.conf(1);
        TorusOptions options = new TorusOptions(acceptance, Optional.empty());
        String name = acceptance == TorusOptions.Acceptance.LIKE_OPENSM ? "opensm-torus" : "torus-2QoS";
        Fabric fabric = FreshLids.assign(torus.fabric(), Fabric.NONE);
        TorusEngine engine = new TorusEngine(TorusConfParser.parse(conf), options);
        assertThat(engine.name()).isEqualTo(name);
        assertThat(routed(engine, fabric).engine()).isEqualTo(name);

        TorusConf wrong = TorusConfParser.parse(conf.replaceFirst("torus .*", "torus 6 6 1"));
        assertThat(new TorusEngine(wrong, options).route(fabric, EngineOptions.DEFAULT))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.engine()).isEqualTo(name));
    }

    private static Routing routed(RoutingEngine engine, Fabric fabric) {
        return (Routing) engine.route(fabric, EngineOptions.DEFAULT);
    }

    private static void assertSameTables(Fabric fabric, Routing one, Routing other) {
        for (int at = 0; at < fabric.switchCount(); at++) {
            for (int lid = 0; lid <= fabric.maxLid(); lid++) {
                assertThat(one.forwarding().port(at, lid))
                        .isEqualTo(other.forwarding().port(at, lid));
            }
        }
    }

    /**
     * As OpenSM on ibsim with seeds of {@code fabric generate}, whose rings of four have both links: it notices a wrong
     * radix by a switch that fits a second place, or by switches that are missing, or not at all.
     */
    @ParameterizedTest
    @CsvSource({
        "4, 5, 1, 5, 5, 1, 4E1C",
        "4, 5, 1, 6, 5, 1, 4E1C",
        "4, 4, 1, 5, 5, 1, 4E1C",
        "4, 3, 3, 5, 3, 3, 4E1C",
        "3, 4, 3, 3, 5, 3, 4E1C",
        "5, 6, 1, 6, 6, 1, 4E38",
        "3, 3, 3, 3, 3, 5, 4E38",
        "6, 5, 1, 5, 5, 1, ''",
        "5, 3, 3, 3, 3, 3, ''"
    })
    void aWrongRadixIsRefusedAsByOpenSm(int x, int y, int z, int confX, int confY, int confZ, String code) {
        SampleTorus plan = SampleTorus.torus(x, y, z, 1);
        Fabric fabric = FreshLids.assign(plan.fabric(), Fabric.NONE);
        String text = plan.conf(1).replaceFirst("torus .*", "torus %d %d %d".formatted(confX, confY, confZ));
        RoutingResult result = new TorusEngine(TorusConfParser.parse(text), TorusOptions.LIKE_OPENSM)
                .route(fabric, EngineOptions.DEFAULT);
        if (code.isEmpty()) {
            assertThat(result).isInstanceOf(Routing.class);
        } else {
            assertThat(result)
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> assertThat(refusal.reasons().getFirst().code())
                                    .isEqualTo(code));
        }
    }

    /** The same torus with another seed: the link in -x makes the difference. */
    @Test
    void aSeedWithBothLinksMakesOpenSmFindASwitchTwice() {
        SampleTorus plan = SampleTorus.torus(5, 6, 1, 1);
        Fabric fabric = FreshLids.assign(plan.fabric(), Fabric.NONE);
        String text = plan.conf(1).replaceFirst("torus .*", "torus 6 6 1") + "xm_link 0x200000 0x200018\n";
        RoutingResult result = new TorusEngine(TorusConfParser.parse(text), TorusOptions.LIKE_OPENSM)
                .route(fabric, EngineOptions.DEFAULT);
        assertThat(result)
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.reasons())
                                .singleElement()
                                .extracting(Refusal.Reason::code)
                                .isEqualTo("4E1C"));
    }

    private static TorusPlan plan(Fabric fabric, TorusConf conf) {
        TorusEngine.Outcome outcome = new TorusEngine(conf, TorusOptions.DEFAULT).plan(fabric, EngineOptions.DEFAULT);
        assertThat(outcome).isInstanceOf(TorusEngine.Accepted.class);
        return ((TorusEngine.Accepted) outcome).plan();
    }

    private static Routing routing(Fabric fabric, TorusConf conf) {
        return plan(fabric, conf).routing(List.of());
    }

    private static Refusal refusal(Fabric fabric, TorusConf conf, EngineOptions options) {
        RoutingResult result = new TorusEngine(conf, TorusOptions.DEFAULT).route(fabric, options);
        assertThat(result).isInstanceOf(Refusal.class);
        return (Refusal) result;
    }

    private static String texts(Refusal refusal) {
        return String.join(
                "\n", refusal.reasons().stream().map(Refusal.Reason::text).toList());
    }

    @Test
    @Requirement("t2q-007")
    void anSlMayBeKeptForEachPairOfSwitches() {
        TestTorus torus = new TestTorus(TorusShape.torus(4, 3, 3)).hosts(3).lmc(1);
        Fabric fabric = torus.fabric();
        Routing routing =
                (Routing) new TorusEngine(torus.conf(), TorusOptions.DEFAULT).route(fabric, EngineOptions.DEFAULT);
        PathSls sls = routing.sls();
        assertThat(sls.classes()).isEqualTo(fabric.switchCount());
        int[] classOfSwitch = new int[fabric.switchCount()];
        Arrays.fill(classOfSwitch, -1);
        for (int lid = 1; lid <= fabric.maxLid(); lid++) {
            int port = fabric.portOfLid(lid);
            if (port != Fabric.NONE) {
                int sw = fabric.switchOf(port);
                classOfSwitch[sw] = classOfSwitch[sw] < 0 ? sls.classOf(lid) : classOfSwitch[sw];
                assertThat(sls.classOf(lid)).isEqualTo(classOfSwitch[sw]);
            }
        }
        for (int from = 1; from <= fabric.maxLid(); from++) {
            for (int to = 1; to <= fabric.maxLid(); to++) {
                if (fabric.portOfLid(from) == Fabric.NONE || fabric.portOfLid(to) == Fabric.NONE) {
                    continue;
                }
                for (int hint : new int[] {0, 7, 8, 15}) {
                    assertThat(sls.sl(from, to, hint))
                            .isEqualTo(sls.classSl(sls.classOf(from), sls.classOf(to), hint >> 3));
                }
            }
        }
    }
}
