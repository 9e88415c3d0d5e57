package org.railyard.fabric.torus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.fabric.format.TorusDump;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.CheckReport;
import org.railyard.fabric.proof.CreditLoopCheck;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.torus.acceptance.UpstreamVerdict;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.multicast.MasterTree;
import org.railyard.fabric.torus.multicast.TorusMulticast;
import org.railyard.fabric.torus.multicast.UpstreamTree;
import org.railyard.fabric.torus.placement.Placement;
import org.railyard.fabric.torus.placement.Placer;
import org.railyard.fabric.torus.placement.SwitchGraph;
import org.railyard.testkit.Requirement;

/** The same fabrics and configurations that OpenSM 3.3.23 was given: same places, tables, SLs, VLs, trees, verdicts. */
class OpenSmTest {
    static Stream<OpenSmCase> routed() {
        return Stream.of(
                        "mesh2d-4x4",
                        "mixed-5x4Mx3",
                        "t2d-3x3-1sw",
                        "t2d-4x4",
                        "t2d-5x5",
                        "t2d-5x5-2port-same",
                        "t2d-5x5-h3",
                        "t2d-5x5-par2-1cable",
                        "t2d-5x5-par2-h4",
                        "t2d-5x5-vlarb",
                        "t2d-5x6",
                        "t2d-5x6-1link",
                        "t2d-5x6-1sw",
                        "t2d-6x1x6-2sw-adjz",
                        "t2d-6x5-1link-root",
                        "t2d-6x5-1sw-T",
                        "t3d-2x2x2",
                        "t3d-3x3x3",
                        "t3d-3x4x5-qos1",
                        "t3d-4x4x4",
                        "t3d-4x4x4-3links",
                        "t3d-4x4x4-dyn-1sw",
                        "t3d-5x4x3-1link",
                        "t3d-5x4x3-seed212-dl",
                        "t3d-5x4x3-shuf",
                        "t3d-5x4x3-vl2",
                        "t3d-5x5x5-2sw-adjz")
                .map(OpenSmCase::new);
    }

    private static TorusPlan plan(OpenSmCase golden, Fabric fabric, TorusOptions options) {
        TorusEngine.Outcome outcome = new TorusEngine(golden.conf(), options).plan(fabric, golden.options());
        assertThat(outcome).isInstanceOf(TorusEngine.Accepted.class);
        return ((TorusEngine.Accepted) outcome).plan();
    }

    @ParameterizedTest
    @MethodSource("routed")
    @Requirement({"t2q-001", "t2q-101"})
    void switchesAreWhereOpenSmPutsThem(OpenSmCase golden) {
        Fabric fabric = golden.fabric();
        Placement placement = plan(golden, fabric, TorusOptions.STRICT).placement();
        List<TorusDump.Place> places = golden.places();
        assertThat(placement.grid().switches()).isEqualTo(places.size());
        for (TorusDump.Place place : places) {
            int position = placement.grid().shape().position(place.x(), place.y(), place.z());
            assertThat(placement.switchAt(position)).isEqualTo(fabric.nodeOfGuid(place.guid()));
        }
    }

    @ParameterizedTest
    @MethodSource("routed")
    @Requirement({"t2q-046", "t2q-102", "t2q-104"})
    void forwardingTablesAreOpenSms(OpenSmCase golden) {
        Fabric fabric = golden.fabric();
        for (TorusOptions options : List.of(TorusOptions.STRICT, TorusOptions.DEFAULT)) {
            TorusPlan plan = plan(golden, fabric, options);
            ForwardingTables ours = plan.routing(List.of()).forwarding();
            ForwardingTables theirs = golden.forwarding(fabric);
            compareTables(plan, ours, theirs, golden.name());
        }
    }

    static Stream<OpenSmCase> routedWithParallelCables() {
        return Stream.concat(
                routed(),
                Stream.of(
                                "t3d-3x3x3-par4-seed201",
                                "t2d-5x6-par5-1sw-seed220",
                                "t3d-4x5x4-par3-1sw-seed321",
                                "t3d-2x4x5-par6-seed123",
                                "mixed-3x4Mx3-par3-6links")
                        .map(OpenSmCase::new));
    }

    @ParameterizedTest
    @MethodSource("routedWithParallelCables")
    @Requirement("t2q-102")
    void withTheRulesOfOpenSmEvenTheChoiceAmongParallelCablesIsItsOwn(OpenSmCase golden) {
        Fabric fabric = golden.fabric();
        ForwardingTables ours = plan(golden, fabric, TorusOptions.LIKE_OPENSM)
                .routing(List.of())
                .forwarding();
        ForwardingTables theirs = golden.forwarding(fabric);
        for (int at = 0; at < fabric.switchCount(); at++) {
            for (int lid = 1; lid <= fabric.maxLid(); lid++) {
                assertThat(ours.port(at, lid))
                        .as("switch %s lid %d", fabric.description(at), lid)
                        .isEqualTo(theirs.port(at, lid));
            }
        }
    }

    static void compareTables(TorusPlan plan, ForwardingTables ours, ForwardingTables theirs, String what) {
        for (int at = 0; at < plan.fabric().switchCount(); at++) {
            compareRows(plan.fabric(), plan, at, ours, theirs, what);
        }
    }

    /** Returns the LIDs of all ports where packets start and end. */
    static List<Integer> endLids(Fabric fabric) {
        List<Integer> lids = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port) && fabric.lid(port) != 0) {
                lids.add(fabric.lid(port));
            }
        }
        return lids;
    }

    /**
     * Equal where groups have one cable; elsewhere the same group, and loads of its cables that differ by at most one.
     */
    private static void compareRows(
            Fabric fabric, TorusPlan plan, int at, ForwardingTables ours, ForwardingTables theirs, String what) {
        Map<Integer, int[]> loads = new HashMap<>();
        int[] groupOf = groups(plan, at);
        for (int lid = 1; lid <= fabric.maxLid(); lid++) {
            int port = ours.port(at, lid);
            int theirPort = theirs.port(at, lid);
            assertThat(port == ForwardingTables.NO_PATH).isEqualTo(theirPort == ForwardingTables.NO_PATH);
            if (port == ForwardingTables.NO_PATH) {
                continue;
            }
            int group = groupOf[port];
            assertThat(groupOf[theirPort])
                    .as("%s, switch %d lid %d", what, at, lid)
                    .isEqualTo(group);
            int cables = group == TorusGroup.END
                    ? 1
                    : plan.placement().cables(plan.placement().positionOf(at), group);
            if (cables == 1) {
                assertThat(port).as("%s, switch %d lid %d", what, at, lid).isEqualTo(theirPort);
            } else {
                boolean host = !fabric.isSwitch(fabric.nodeOf(fabric.portOfLid(lid)));
                loads.computeIfAbsent(group * 2 + (host ? 1 : 0), key -> new int[256])[port]++;
            }
        }
        loads.forEach((key, load) -> {
            int most = 0;
            int least = Integer.MAX_VALUE;
            for (int port = 0; port < groupOf.length; port++) {
                if (groupOf[port] == key / 2) {
                    most = Math.max(most, load[port]);
                    least = Math.min(least, load[port]);
                }
            }
            assertThat(most - least).isLessThanOrEqualTo(1);
        });
    }

    /** Returns the group of each port of a switch; one that is not part of the torus has none. */
    private static int[] groups(TorusPlan plan, int at) {
        int position = plan.placement().positionOf(at);
        int[] groups = new int[plan.fabric().ports(at) + 1];
        Arrays.fill(groups, TorusGroup.END);
        for (int group = 0; position != Placement.NONE && group < TorusGroup.COUNT; group++) {
            for (int cable = 0; cable < plan.placement().cables(position, group); cable++) {
                groups[plan.placement().port(position, group, cable)] = group;
            }
        }
        return groups;
    }

    @ParameterizedTest
    @MethodSource("routed")
    @Requirement({"t2q-017", "t2q-019", "t2q-035"})
    void pathSlsAreOpenSms(OpenSmCase golden) {
        Fabric fabric = golden.fabric();
        Routing routing = plan(golden, fabric, TorusOptions.DEFAULT).routing(List.of());
        OpenSmCase.Sls sls = golden.sls();
        assertThat(sls.rows()).isNotEmpty();
        for (OpenSmCase.Row row : sls.rows()) {
            for (int i = 0; i < row.sls().length(); i++) {
                assertThat(routing.sls().sl(row.lid(), sls.destinations().get(i), golden.hint()))
                        .isEqualTo(Character.digit(row.sls().charAt(i), 16));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("routed")
    @Requirement({"t2q-020", "t2q-021", "t2q-022", "t2q-036", "t2q-103"})
    void slToVlTablesAreOpenSms(OpenSmCase golden) {
        Fabric fabric = golden.fabric();
        SlToVl ours = plan(golden, fabric, TorusOptions.DEFAULT).slToVlTables();
        SlToVl theirs = golden.slToVl(fabric);
        for (int at = 0; at < fabric.switchCount(); at++) {
            for (int out = 1; out <= fabric.ports(at); out++) {
                for (int in = 0;
                        fabric.peer(fabric.portIndex(at, out)) != Fabric.NONE && in <= fabric.ports(at);
                        in++) {
                    assertThat(ours.table(at, in, out)).isEqualTo(theirs.table(at, in, out));
                }
            }
        }
        for (int port = 0; port < fabric.portCount(); port++) {
            if (!fabric.isSwitch(fabric.nodeOf(port)) && fabric.lid(port) != 0) {
                assertThat(ours.endTable(port)).isEqualTo(theirs.endTable(port));
            }
        }
    }

    static Stream<OpenSmCase> routedWithMembers() {
        return routed().filter(OpenSmCase::hasMembers);
    }

    @ParameterizedTest
    @MethodSource("routedWithMembers")
    @Requirement({"t2q-033", "t2q-107"})
    void multicastIsOpenSmsUnlessASwitchIsMissing(OpenSmCase golden) {
        Fabric fabric = golden.fabric();
        TorusPlan plan = plan(golden, fabric, TorusOptions.DEFAULT);
        MasterTree upstream = UpstreamTree.of(plan.placement().grid()).orElseThrow();
        MulticastTables tables = TorusMulticast.of(fabric, plan.placement(), upstream, List.of(golden.group(fabric)));
        MulticastTables.Tree theirs = golden.tree(fabric);
        MulticastTables.Tree ours =
                Objects.requireNonNull(tables.tree(golden.group(fabric).mlid()));
        for (int at = 0; at < fabric.switchCount(); at++) {
            assertThat(ours.ports(at)).as("switch %d", at).isEqualTo(theirs.ports(at));
        }
        if (plan.placement().grid().missing().findAny().isEmpty()) {
            assertThat(plan.tree()).contains(upstream);
        }
    }

    @ParameterizedTest
    @MethodSource("routed")
    @Requirement({"t2q-003", "t2q-033", "t2q-046"})
    void ourTablesAreProved(OpenSmCase golden) {
        Fabric fabric = golden.fabric();
        EngineOptions options =
                golden.hasMembers() ? golden.options().withGroups(List.of(golden.group(fabric))) : golden.options();
        Routing routing = (Routing) new TorusEngine(golden.conf(), TorusOptions.DEFAULT).route(fabric, options);
        for (boolean switchPorts : new boolean[] {false, true}) {
            CheckReport report =
                    CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT.withSwitchPorts(switchPorts));
            assertThat(report.verdict())
                    .as(report.loops() + " " + report.faults())
                    .isEqualTo(CheckReport.Verdict.CLEAN);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "mesh2d-5x5-1link, 4E33, disjoint failures in x ring at y=2 z=0",
        "t2d-4x4-oneseed, 4E23, xm_link is missing",
        "t2d-5x6-2links-1ring, 4E33, disjoint failures in x ring at y=1 z=0",
        "t2d-5x6-conf6x6, 4E38, missing switches",
        "t2d-6x6-2sw-adjy, 4E38, 2 missing switches",
        "t3d-5x5x5-1sw1link, 4E33, disjoint failures in x ring at y=2 z=2",
        "t3d-5x5x5-2sw-apart, 4E38, 2 missing switches"
    })
    @Requirement("t2q-025")
    void whatOpenSmRefusesIsRefusedInStrictModeForTheSameReason(String name, String code, String text) {
        assertThat(reasons(name, TorusOptions.STRICT)).anySatisfy(reason -> {
            assertThat(reason.code()).isEqualTo(code);
            assertThat(reason.text()).contains(text);
        });
    }

    @Test
    @Requirement("t2q-031")
    void switchesMissingSideBySideInYAreSafeAndRoutedUnlessStrict() {
        OpenSmCase golden = new OpenSmCase("t2d-6x6-2sw-adjy");
        Fabric fabric = golden.fabric();
        Routing routing = plan(golden, fabric, TorusOptions.DEFAULT).routing(List.of());
        assertThat(CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT).verdict())
                .isEqualTo(CheckReport.Verdict.CLEAN);
    }

    @Test
    void openSmRoutesAFailedSwitchWithTwoVlsAlthoughItCanDeadlock() {
        assertThat(reasons("t2d-5x6-1sw-vl2", TorusOptions.STRICT))
                .extracting(Refusal.Reason::code)
                .startsWith("credit-loop");
        OpenSmCase golden = new OpenSmCase("t2d-5x6-1sw-vl2");
        Fabric fabric = golden.fabric();
        Placement placement = place(golden, fabric);
        assertThat(UpstreamVerdict.of(placement.grid()).routes()).isTrue();
    }

    @Test
    void openSmAcceptsAOneDimensionalRingOfWhichItPlacesTwoSwitches() {
        OpenSmCase golden = new OpenSmCase("t1d-1x1x6");
        Fabric fabric = golden.fabric();
        Placement placement = place(golden, fabric);
        assertThat(placement.grid().switches())
                .isEqualTo(golden.places().size())
                .isEqualTo(2);
        assertThat(UpstreamVerdict.of(placement.grid()).routes()).isTrue();
        assertThat(reasons("t1d-1x1x6", TorusOptions.DEFAULT))
                .first()
                .satisfies(reason -> assertThat(reason.text()).contains("4 of 6 switches have no place"));
    }

    /** At the end of an open dimension, without its cable inward: no way along its line leads there. */
    @Test
    void aSwitchThatOpenSmDoesNotFindIsLeftOutAsByOpenSmAndRefusedInStrictMode() {
        OpenSmCase golden = new OpenSmCase("mixed-3x4Mx3-par3-6links");
        Fabric fabric = golden.fabric();
        TorusPlan plan = plan(golden, fabric, TorusOptions.LIKE_OPENSM);
        assertThat(plan.places().places()).hasSize(35).isEqualTo(golden.places());
        assertThat(plan.placement().strangers()).extracting(fabric::description).containsExactly("S(2,3,1)");
        assertThat(reasons(golden.name(), TorusOptions.DEFAULT))
                .extracting(Refusal.Reason::code)
                .containsExactly("unreachable", "repair");
        assertThat(reasons(golden.name(), TorusOptions.STRICT))
                .extracting(Refusal.Reason::text)
                .noneMatch(text -> text.contains("OpenSM would refuse"))
                .anyMatch(text -> text.contains("OpenSM finds no place for 1 of 36 switches"))
                .anyMatch(text -> text.contains("routable again with cable (2,2,1)-(2,3,1)"));
    }

    private static Placement place(OpenSmCase golden, Fabric fabric) {
        return Objects.requireNonNull(
                new Placer(fabric, SwitchGraph.of(fabric), golden.conf()).place(true, new ArrayList<>()));
    }

    private static List<Refusal.Reason> reasons(String name, TorusOptions options) {
        OpenSmCase golden = new OpenSmCase(name);
        TorusEngine.Outcome outcome = new TorusEngine(golden.conf(), options).plan(golden.fabric(), golden.options());
        assertThat(outcome).isInstanceOf(TorusEngine.Refused.class);
        return ((TorusEngine.Refused) outcome).refusal().reasons();
    }
}
