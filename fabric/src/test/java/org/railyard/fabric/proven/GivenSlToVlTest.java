package org.railyard.fabric.proven;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.fabric.torus.qos.QosSettings;
import org.railyard.fabric.torus.qos.QosSettings.Ports;

/** SL to VL tables that settings give to engines without tables of their own. */
final class GivenSlToVlTest {
    private static final SampleTorus PLANE = SampleTorus.torus(3, 3, 1, 1);
    private static final Fabric PAIR = NetFile.parse("""
        switchguid=0x200000
        Switch 4 "S-0"
        [1] "S-1"[1]
        [2] "H-0"[1]
        [3] "R-0"[1]

        switchguid=0x200001
        Switch 4 "S-1"
        [1] "S-0"[1]

        caguid=0x100000
        Ca 1 "H-0"
        [1] "S-0"[2]

        rtguid=0x100010
        Rt 1 "R-0"
        [1] "S-0"[3]
        """).fabric();
    private static final int FOUR_VLS = 3;

    private static long table(int first) {
        return SlToVl.pack(IntStream.range(0, 16)
                .map(sl -> sl == 15 ? SlToVl.DROP : (first + sl) % 15)
                .toArray());
    }

    private static Ports ports(OptionalLong slToVl) {
        return new Ports(15, Ports.DEFAULT.high(), Ports.DEFAULT.low(), slToVl);
    }

    private static QosSettings qos(OptionalLong switches, OptionalLong cas, OptionalLong routers) {
        return new QosSettings(ports(switches), ports(cas), ports(OptionalLong.of(-1)), ports(routers));
    }

    private static RoutingSettings settings(EngineName name, QosSettings qos) {
        return RoutingSettings.of(name.engine(TorusConfParser.parse(PLANE.conf(1)), false, List.of()))
                .withQos(qos);
    }

    private static Routing routing(RoutingSettings settings, Fabric cabled) {
        return new ProvenRouting(settings).tables(cabled, List.of()).orThrow().routing();
    }

    @Test
    void eachKindOfPortHasItsOwn() {
        QosSettings qos = qos(OptionalLong.of(table(1)), OptionalLong.of(table(2)), OptionalLong.of(table(3)));
        RoutingSettings settings = settings(EngineName.UP_DOWN, qos)
                .withOptions(new EngineOptions(FOUR_VLS, EngineOptions.DEFAULT.qosLevels(), List.of()));
        SlToVl vls = routing(settings, PAIR).slToVl();
        SlToVl usual = routing(
                        settings.withQos(qos(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty())), PAIR)
                .slToVl();
        int sw = PAIR.nodeOfGuid(0x200000);
        for (int sl = 0; sl < 15; sl++) {
            assertThat(SlToVl.vl(vls.table(sw, 2, 1), sl)).isEqualTo((1 + sl) % 15 % 4);
            assertThat(SlToVl.vl(vls.table(sw, 0, 3), sl)).isEqualTo((1 + sl) % 15 % 4);
            assertThat(SlToVl.vl(vls.endTable(PAIR.portIndex(PAIR.nodeOfGuid(0x100000), 1)), sl))
                    .isEqualTo((2 + sl) % 15 % 4);
            assertThat(SlToVl.vl(vls.endTable(PAIR.portIndex(PAIR.nodeOfGuid(0x100010), 1)), sl))
                    .isEqualTo((3 + sl) % 15 % 4);
        }
        assertThat(SlToVl.vl(vls.table(sw, 2, 1), 15)).isEqualTo(SlToVl.DROP);
        assertThat(vls.table(sw, 1, 0)).as("to port 0").isEqualTo(usual.table(sw, 1, 0));
    }

    @Test
    void whatIsNotToldIsTheEngines() {
        Routing routing = routing(
                settings(
                        EngineName.UP_DOWN, qos(OptionalLong.empty(), OptionalLong.of(table(2)), OptionalLong.empty())),
                PAIR);
        int sw = PAIR.nodeOfGuid(0x200000);
        assertThat(SlToVl.vl(routing.slToVl().table(sw, 2, 1), 0)).isZero();
        assertThat(SlToVl.vl(routing.slToVl().endTable(PAIR.portIndex(PAIR.nodeOfGuid(0x100000), 1)), 0))
                .isEqualTo(2);
        assertThat(SlToVl.vl(routing.slToVl().endTable(PAIR.portIndex(PAIR.nodeOfGuid(0x100010), 1)), 0))
                .isZero();
    }

    /** The proof looks at the tables that are given: with SL 0 dropped nothing arrives. */
    @Test
    void theyAreProved() {
        OptionalLong all = OptionalLong.of(table(4));
        OptionalLong none = OptionalLong.of(-1);
        assertThat(new ProvenRouting(settings(EngineName.UP_DOWN, qos(all, all, all))).run(PLANE.fabric(), List.of()))
                .isInstanceOfSatisfying(
                        Proven.class, proven -> assertThat(proven.complete()).isTrue());
        assertThat(new ProvenRouting(settings(EngineName.UP_DOWN, qos(none, all, all))).run(PLANE.fabric(), List.of()))
                .isInstanceOfSatisfying(
                        Proven.class, proven -> assertThat(proven.complete()).isFalse());
    }

    @ParameterizedTest
    @EnumSource(names = {"TORUS_2QOS", "OPENSM_TORUS", "NUE", "LAYERED"})
    void enginesThatNeedTheirTablesKeepThem(EngineName name) {
        OptionalLong all = OptionalLong.of(table(4));
        QosSettings none = qos(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
        SlToVl with =
                routing(settings(name, qos(all, all, all)), PLANE.fabric()).slToVl();
        SlToVl without = routing(settings(name, none), PLANE.fabric()).slToVl();
        assertThat(with.table(0, 1, 2)).isEqualTo(without.table(0, 1, 2));
        int host = PLANE.fabric().portIndex(PLANE.fabric().switchCount(), 1);
        assertThat(with.endTable(host)).isEqualTo(without.endTable(host));
    }
}
