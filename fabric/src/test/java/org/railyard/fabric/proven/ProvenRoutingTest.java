package org.railyard.fabric.proven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.engine.DorEngine;
import org.railyard.fabric.format.Guid2Lid;
import org.railyard.fabric.format.LidSettings;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.proof.Verification;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.fabric.torus.qos.QosSettings;
import org.railyard.fabric.torus.qos.QosSettings.Ports;

final class ProvenRoutingTest {
    private static final SampleTorus PLANE = SampleTorus.torus(5, 4, 1, 1);
    private static final Fabric CABLED = PLANE.fabric();

    private static TorusEngine engine(SampleTorus plan) {
        return new TorusEngine(TorusConfParser.parse(plan.conf(2)), TorusOptions.DEFAULT);
    }

    private static ProvenRouting torus() {
        return ProvenRouting.by(engine(PLANE));
    }

    @Test
    void aTorusGetsLidsTablesAndAProof() {
        RoutingOutcome outcome = torus().run(CABLED, List.of());
        assertThat(outcome).isInstanceOfSatisfying(Proven.class, proven -> {
            assertThat(proven.complete()).isTrue();
            assertThat(proven.findings()).isEmpty();
            assertThat(proven.tables().fabric().maxLid()).isEqualTo(40);
            assertThat(proven.tables().plan()).isPresent();
            assertThat(proven.certificate().size()).isEqualTo(proven.report().channels());
        });
    }

    @Test
    void theSameFabricHasTheSameTables() {
        Tables one = torus().tables(CABLED, List.of()).orThrow();
        Tables other = torus().tables(PLANE.fabric(), List.of()).orThrow();
        for (int sw = 0; sw < one.fabric().switchCount(); sw++) {
            for (int lid = 1; lid <= one.fabric().maxLid(); lid++) {
                assertThat(other.routing().forwarding().port(sw, lid))
                        .isEqualTo(one.routing().forwarding().port(sw, lid));
            }
        }
    }

    @Test
    void nobodySendsToTheOnlyHostOfASwitchApart() {
        Fabric apart = NetFile.parse("""
            switchguid=0x200000
            Switch 4 "S-0"
            [1] "S-1"[1]

            switchguid=0x200001
            Switch 4 "S-1"
            [1] "S-0"[1]

            switchguid=0x200002
            Switch 4 "S-2"
            [1] "H-2"[1]

            caguid=0x100000
            Ca 1 "H-2"
            [1] "S-2"[1]
            """).fabric();
        String conf = "torus 2 1 1\nxp_link 0x200000 0x200001\n";
        ProvenRouting routing = ProvenRouting.by(new TorusEngine(TorusConfParser.parse(conf), TorusOptions.DEFAULT));
        assertThat(routing.run(apart, List.of()))
                .isInstanceOfSatisfying(
                        Proven.class, proven -> assertThat(proven.complete()).isTrue());
    }

    @Test
    void dimensionOrderOnOneVlClosesLoops() {
        RoutingOutcome outcome = ProvenRouting.by(new DorEngine()).run(CABLED, List.of());
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        CreditLoops.class,
                        loops -> assertThat(loops.report().loops()).isNotEmpty());
    }

    @Test
    void whatTheEngineRefusesHasReasons() {
        SampleTorus other = SampleTorus.torus(6, 4, 1, 1);
        RoutingOutcome outcome = ProvenRouting.by(engine(other)).run(CABLED, List.of());
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.refusal().reasons()).isNotEmpty());
        assertThatThrownBy(() -> ProvenRouting.by(engine(other))
                        .tables(CABLED, List.of())
                        .orThrow())
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** A switch beside the torus is routed around: that is told, and what arrives is proved. */
    @Test
    void routesThatDoNotArriveAreFindings() {
        String host = "\"H-%016x\"".formatted(CABLED.guid(CABLED.switchCount()));
        String extra = host.replace('H', 'S');
        String text = NetFile.of(CABLED)
                .text()
                .replaceAll("(?m)^(ca|switch)guid=.*\n", "")
                .replaceAll("Ca 1 " + host + ".*\n", "Switch 2 " + extra + "\n[2] \"H-0000000000e00000\"[1]\n")
                .replace(host, extra);
        Fabric beside = NetFile.parse(text + "\nCa 1 \"H-0000000000e00000\"\n[1] " + extra + "[2]\n")
                .fabric();
        RoutingOutcome outcome = torus().run(beside, List.of());
        assertThat(outcome).isInstanceOfSatisfying(Proven.class, proven -> {
            assertThat(proven.complete()).isFalse();
            assertThat(proven.findings()).anyMatch(each -> each.contains("do not arrive"));
            Fabric routed = proven.tables().fabric();
            ForwardingTables entries = proven.tables().routing().forwarding();
            int outside = IntStream.range(0, routed.switchCount())
                    .filter(sw -> routed.ports(sw) == 2)
                    .findFirst()
                    .orElseThrow();
            assertThat(IntStream.rangeClosed(0, routed.maxLid()).map(lid -> entries.port(outside, lid)))
                    .as("it has no way anywhere")
                    .containsOnly(ForwardingTables.NO_PATH);
        });
    }

    /** The verifier stands by itself: tables with a loop do not pass with the certificate of others. */
    @Test
    void aCertificateOfOtherTablesIsFoundOut() {
        ProvenRouting right = torus();
        ProvenRouting wrong = ProvenRouting.by(new DorEngine());
        Tables looping = wrong.tables(CABLED, List.of()).orThrow();
        var report = right.check(right.tables(CABLED, List.of()).orThrow());
        assertThat(Verification.firstViolation(
                        looping.fabric(),
                        looping.routing(),
                        CheckOptions.DEFAULT,
                        report.certificate().orElseThrow()))
                .hasValueSatisfying(text -> assertThat(text).contains("is followed by"));
    }

    @Test
    void qosSettingsThatBreakPromisesAreFindings() {
        Ports two = new Ports(2, Ports.DEFAULT.high(), Ports.DEFAULT.low(), OptionalLong.of(0));
        QosSettings qos = new QosSettings(two, Ports.DEFAULT, Ports.DEFAULT, Ports.DEFAULT);
        ProvenRouting routing =
                new ProvenRouting(RoutingSettings.of(engine(PLANE)).withQos(qos));
        assertThat(routing.tables(CABLED, List.of()).orThrow().findings())
                .anyMatch(each -> each.contains("qos_swe_max_vls (or qos_max_vls) is 2"));
    }

    @Test
    void moreLidsThanThereAreIsARefusal() {
        SampleTorus many = SampleTorus.torus(8, 8, 1, 7);
        ProvenRouting routing =
                new ProvenRouting(RoutingSettings.of(engine(many)).withLids(LidSettings.fresh(Fabric.NONE, 7)));
        assertThat(routing.run(many.fabric(), List.of()))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.refusal().reasons().getFirst())
                                .extracting(Refusal.Reason::code)
                                .isEqualTo("lids"));
    }

    /** As a subnet manager wants it: the table first, then what ports have, then the first free ones. */
    @Test
    void lidsOfTheTableComeFirst() {
        Fabric fresh = LidSettings.fresh(Fabric.NONE, 0).assign(CABLED).fabric();
        int host = fresh.portIndex(fresh.switchCount(), 1);
        int other = fresh.portIndex(fresh.switchCount() + 1, 1);
        int taken = fresh.lid(other);
        Map<Long, Guid2Lid.Range> table =
                Map.of(fresh.portGuid(host), new Guid2Lid.Range(taken, taken), 0xABCDEFL, new Guid2Lid.Range(41, 41));
        var given = new LidSettings(table, true, 0, Fabric.NONE).assign(fresh);
        assertThat(given.fabric().lid(host)).isEqualTo(taken);
        assertThat(given.fabric().lid(other)).isEqualTo(fresh.lid(host));
        assertThat(given.findings()).hasSize(2);
        int[] none = new int[fresh.portCount()];
        Fabric cleared = new LidSettings(table, false, 0, Fabric.NONE)
                .assign(fresh.withLids(none, none))
                .fabric();
        assertThat(cleared.maxLid()).isEqualTo(40);
        assertThat(cleared.portOfLid(41)).isEqualTo(Fabric.NONE);
    }

    @Test
    void overlappingLidsOfTheTableAreNamed() {
        Map<Long, Guid2Lid.Range> table = Map.of(1L, new Guid2Lid.Range(8, 11), 2L, new Guid2Lid.Range(10, 10));
        assertThat(new ProvenRouting(RoutingSettings.of(engine(PLANE))
                                .withLids(new LidSettings(table, true, 0, Fabric.NONE)))
                        .run(CABLED, List.of()))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(
                                        refused.refusal().reasons().getFirst().text())
                                .contains("LID 0x000a", "0x0000000000000001", "0x0000000000000002"));
    }
}
