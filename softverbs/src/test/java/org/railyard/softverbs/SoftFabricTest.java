package org.railyard.softverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConf;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.softverbs.card.SoftDevice;
import org.railyard.softverbs.card.SoftPort;
import org.railyard.softverbs.net.FabricFaultRule;
import org.railyard.softverbs.net.FabricTrace;
import org.railyard.softverbs.net.Fidelity;
import org.railyard.softverbs.net.SoftSettings;
import org.railyard.softverbs.net.TrafficKind;
import org.railyard.softverbs.time.VirtualTime;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.card.memory.MemoryModel;

/** Runs as a whole: repeatable, large, over the routes of the routing engines. */
class SoftFabricTest {
    private static final long SECOND = 1_000_000_000L;

    private static String run(long seed, Fidelity fidelity) {
        StringBuilder log = new StringBuilder();
        SmallWorld world = new SmallWorld(
                SampleTorus.torus(3, 1, 1, 1),
                3,
                seed,
                SoftSettings.DEFAULT.withFidelity(fidelity),
                (at, what, port, subject, detail) -> log.append(at)
                        .append(' ')
                        .append(what)
                        .append(' ')
                        .append(port)
                        .append(' ')
                        .append(subject)
                        .append(' ')
                        .append(detail)
                        .append('\n'),
                MemoryModel.SCATTERED);
        world.fabric()
                .addFault(new FabricFaultRule(
                        EnumSet.of(TrafficKind.DATA, TrafficKind.ACK),
                        null,
                        null,
                        0.02,
                        FabricFaultRule.Action.DROP,
                        0));
        List<Link> links = new ArrayList<>();
        for (int from = 0; from < 3; from++) {
            for (int to = 0; to < 3; to++) {
                Link link = new Link(world.node(from), world.node(to), SmallWorld.address(to, 987 + from));
                link.open();
                link.want(100);
                links.add(link);
            }
        }
        assertThat(world.time().runUntil(() -> links.stream().allMatch(link -> link.received() == 100), 60 * SECOND))
                .isTrue();
        assertThat(links).allMatch(link -> link.wrong() == 0);
        return log.toString();
    }

    @ParameterizedTest
    @EnumSource
    @Requirement({"sv-020", "sv-022"})
    void theSameSeedGivesTheSameEvents(Fidelity fidelity) {
        String log = run(5, fidelity);
        assertThat(log).hasLineCount((int) log.lines().count()).contains("resend");
        assertThat(run(5, fidelity)).isEqualTo(log);
        assertThat(run(6, fidelity)).isNotEqualTo(log);
    }

    @ParameterizedTest
    @CsvSource({"1000, MESSAGE", "100, PACKET"})
    @Requirement("sv-021")
    void soManyMachinesTalk(int machines, Fidelity fidelity) {
        SmallWorld world = new SmallWorld(
                SampleTorus.torus(5, 5, 5, 8),
                machines,
                1,
                SoftSettings.DEFAULT.withFidelity(fidelity),
                FabricTrace.NONE,
                MemoryModel.SCATTERED);
        List<Link> links = new ArrayList<>();
        for (int node = 0; node < machines; node++) {
            int to = (node + 37) % machines;
            Link link = new Link(world.node(node), world.node(to), SmallWorld.address(to, 987));
            link.open();
            link.want(5);
            links.add(link);
        }
        assertThat(world.time().runUntil(() -> links.stream().allMatch(link -> link.received() == 5), SECOND))
                .isTrue();
        assertThat(links).allMatch(link -> link.wrong() == 0);
    }

    private static SoftPort port(SoftNode node) {
        return ((SoftDevice) node.devices().getFirst()).ports().getFirst();
    }

    @Test
    @Requirement("t2q-004")
    void pathsHaveTheServiceLevelOfTheRoutingEngine() throws Exception {
        SampleTorus plan = SampleTorus.torus(4, 4, 1, 1);
        Fabric fabric = FreshLids.assign(plan.fabric(), Fabric.NONE);
        TorusConf conf = TorusConfParser.parse(plan.conf(1));
        Routing routing = (Routing) new TorusEngine(conf, TorusOptions.DEFAULT).route(fabric, EngineOptions.DEFAULT);
        VirtualTime time = new VirtualTime();
        SoftFabric soft =
                new SoftFabric(time, new SplittableRandom(1), fabric, routing, SoftSettings.DEFAULT, FabricTrace.NONE);
        List<SoftNode> nodes = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            SoftNode node = soft.addNode("n" + i, MemoryModel.MERGED);
            SoftDevice device = node.addDevice("mlx5_0", fabric.switchCount() + i, SmallWorld.EVERYTHING);
            node.addInterface("ib0", 0x0A000001 + i, device.ports().getFirst());
            nodes.add(node);
        }
        List<Integer> levels = new ArrayList<>();
        for (int to = 1; to < 16; to++) {
            Link link = new Link(nodes.get(0), nodes.get(to), SmallWorld.address(to, 987));
            link.open();
            link.want(3);
            assertThat(time.runUntil(() -> link.received() == 3, SECOND)).isTrue();
            int expected = routing.sls()
                    .sl(
                            fabric.lid(port(nodes.get(0)).fabricPort()),
                            port(nodes.get(to)).lid(),
                            0);
            assertThat(Objects.requireNonNull(link.senderId().path()).sl()).isEqualTo(expected);
            levels.add(expected);
        }
        assertThat(levels.stream().distinct().count())
                .as("levels differ on a torus")
                .isGreaterThan(1);
    }
}
