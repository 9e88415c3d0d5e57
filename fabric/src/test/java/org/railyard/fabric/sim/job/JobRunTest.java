package org.railyard.fabric.sim.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.engine.MinHopEngine;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.FabricBuilder.NodeBuilder;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.sim.SimSettings;
import org.railyard.fabric.sim.job.JobResult.End;
import org.railyard.fabric.sim.traffic.Destinations;
import org.railyard.fabric.sim.traffic.Incident;
import org.railyard.fabric.sim.traffic.TrafficPattern;
import org.railyard.fabric.sim.traffic.Upkeep;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;

/** Jobs whose time is known: links carry a byte in a ns, a cable takes 25 ns and a switch 100 ns. */
final class JobRunTest {
    private static final int PAYLOAD = 1000;
    private static final int HEADERS = 24;
    private static final int PACKET = PAYLOAD + HEADERS;
    /** From the tail of a packet at its sender to its tail behind one switch. */
    private static final int ONE_SWITCH = 2 * 25 + 100;

    private static final long SECOND = 1_000_000_000L;

    private static JobSettings settings(int outstanding) {
        return new JobSettings(PAYLOAD, HEADERS, outstanding, 100_000, 3, SECOND);
    }

    /** Hosts of one switch; 4 lanes of 2.5 Gb/s carry a byte in a ns. */
    private static Fabric star(int hosts) {
        FabricBuilder builder = new FabricBuilder();
        NodeBuilder sw = builder.node(NodeType.SWITCH, 1, hosts, "S");
        for (int host = 1; host <= hosts; host++) {
            NodeBuilder ca = builder.node(NodeType.CA, 100 + host, 1, "H" + host);
            ca.port(1).guid(200 + host).link(4, LinkSpeed.SDR);
            sw.port(host).link(4, LinkSpeed.SDR);
            builder.connect(sw, host, ca, 1);
        }
        return FreshLids.assign(builder.build(), Fabric.NONE);
    }

    private static Routing minHop(Fabric fabric) {
        return (Routing) new MinHopEngine().route(fabric, EngineOptions.DEFAULT);
    }

    private static int[] hosts(Fabric fabric) {
        return fabric.hosts().stream().mapToInt(port -> port).toArray();
    }

    private static JobResult run(Fabric fabric, Job job, int outstanding) {
        Routing routing = minHop(fabric);
        return new JobRun(
                        fabric,
                        hosts(fabric),
                        job,
                        SimSettings.DEFAULT,
                        settings(outstanding),
                        Upkeep.none(fabric, routing))
                .run();
    }

    @Test
    void aRingTakesTwiceAsManyStepsAsThereAreOtherRanks() {
        int ranks = 5;
        int packets = 7;
        long data = (long) ranks * packets * PAYLOAD;
        JobResult result = run(star(ranks), Collectives.ringAllReduce(ranks, data, 1), 4);
        assertThat(result.end()).isEqualTo(End.DONE);
        assertThat(result.nanos()).isEqualTo(2L * (ranks - 1) * (packets * PACKET + ONE_SWITCH));
        assertThat(result.messages()).isEqualTo(2L * (ranks - 1) * ranks);
        assertThat(result.bytes()).isEqualTo(2L * (ranks - 1) * data);
        assertThat(result.meanMessage()).isEqualTo(packets * PACKET + ONE_SWITCH);
        assertThat(result.longestMessage()).isEqualTo(packets * PACKET + ONE_SWITCH);
    }

    @Test
    void allToAllFillsTheLinksOfTheHosts() {
        int ranks = 6;
        int packets = 3;
        JobResult result = run(star(ranks), Collectives.allToAll(ranks, (long) packets * PAYLOAD, 1), 1);
        // With one message at a time each is waited for.
        assertThat(result.nanos()).isEqualTo((ranks - 1L) * (packets * PACKET + ONE_SWITCH));
        JobResult two = run(star(ranks), Collectives.allToAll(ranks, (long) packets * PAYLOAD, 2), 1);
        assertThat(two.nanos()).isEqualTo(2 * result.nanos());
        // With all at once packets of all messages take turns, and nothing but the links of hosts is waited for.
        long busy = (ranks - 1L) * packets * PACKET;
        JobResult all = run(star(ranks), Collectives.allToAll(ranks, (long) packets * PAYLOAD, 1), ranks);
        assertThat(all.nanos()).isBetween(busy + ONE_SWITCH, busy + ONE_SWITCH + PACKET);
    }

    @Test
    void aWindowBoundsWhatIsUnderWay() {
        Fabric fabric = star(3);
        int count = 12;
        List<MessageList.Message> messages = IntStream.range(0, count)
                .mapToObj(i -> new MessageList.Message(0, 1, 1, 0))
                .toList();
        long one = 1 + HEADERS + ONE_SWITCH;
        assertThat(run(fabric, new MessageList("m", 3, messages), 1).nanos()).isEqualTo(count * one);
        // Two messages go as one: the second is behind the first.
        long two = one + 1 + HEADERS;
        assertThat(run(fabric, new MessageList("m", 3, messages), 2).nanos()).isLessThan(count * one / 2 + two);
        JobResult all = run(fabric, new MessageList("m", 3, messages), count);
        assertThat(all.nanos()).isEqualTo(ONE_SWITCH + count * (1L + HEADERS));
        assertThat(all.slowest()).isZero();
    }

    @Test
    void messagesWaitForTheirTime() {
        List<MessageList.Message> messages = List.of(
                new MessageList.Message(0, 1, PAYLOAD, 50_000),
                new MessageList.Message(0, 2, 0, 10),
                new MessageList.Message(2, 1, 2 * PAYLOAD + 1, 0));
        JobResult result = run(star(3), new MessageList("m", 3, messages), 4);
        assertThat(result.nanos()).isEqualTo(50_000 + PACKET + ONE_SWITCH);
        assertThat(result.bytes()).isEqualTo(3L * PAYLOAD + 1);
        assertThat(result.longestMessage()).isEqualTo(2L * PACKET + 1 + HEADERS + ONE_SWITCH);
    }

    /** Each host sends to both neighbours over its one link; a message passes two switches. */
    @Test
    void neighboursExchangeRoundByRound() {
        SampleTorus plan = SampleTorus.torus(5, 1, 1, 1);
        Fabric fabric = FreshLids.assign(plan.fabric(), Fabric.NONE);
        Destinations halo = new Destinations(fabric, Optional.<TorusLayout>empty(), TrafficPattern.HALO, 0);
        int[][] neighbours =
                IntStream.range(0, halo.hosts()).mapToObj(halo::turns).toArray(int[][]::new);
        assertThat(List.of(neighbours)).allMatch(all -> all.length == 2);
        int[] ports = IntStream.range(0, halo.hosts()).map(halo::port).toArray();
        long[] nanos = new long[2];
        for (int i = 0; i < nanos.length; i++) {
            Job job = Collectives.exchange(neighbours, 4L * PAYLOAD, i + 1);
            nanos[i] = new JobRun(
                            fabric, ports, job, SimSettings.DEFAULT, settings(2), Upkeep.none(fabric, minHop(fabric)))
                    .run()
                    .nanos();
        }
        double rate = org.railyard.fabric.sim.LinkRate.bytesPerNano(fabric.width(ports[0]), fabric.speed(ports[0]));
        long once = (long) Math.ceil(8 * PACKET / rate) + 3 * 25 + 2 * 100;
        assertThat(nanos[0]).isBetween(once - 8, once + 8);
        assertThat(nanos[1]).isBetween(2 * once - 16, 2 * once + 16);
    }

    private static Upkeep fails(Fabric fabric, Routing routing, TorusEngine engine, long at, int... ports) {
        BitSet down = new BitSet();
        for (int port : ports) {
            down.set(port);
        }
        return new Upkeep(
                fabric,
                routing,
                List.of(new Incident.Links(at, "fails", down, false)),
                Optional.of(left -> engine.route(left, EngineOptions.DEFAULT)),
                50_000,
                1000);
    }

    @Test
    void aJobOutlivesACableAndEndsWithAHost() {
        SampleTorus plan = SampleTorus.torus(4, 4, 1, 1);
        Fabric fabric = FreshLids.assign(plan.fabric(), Fabric.NONE);
        TorusEngine engine = new TorusEngine(TorusConfParser.parse(plan.conf(1)), TorusOptions.DEFAULT);
        Routing routing = (Routing) engine.route(fabric, EngineOptions.DEFAULT);
        Job job = Collectives.allToAll(16, 64_000, 1);
        int[] ports = hosts(fabric);
        JobResult intact =
                new JobRun(fabric, ports, job, SimSettings.DEFAULT, settings(4), Upkeep.none(fabric, routing)).run();
        assertThat(intact.end()).isEqualTo(End.DONE);
        assertThat(intact.lost()).isEmpty();
        assertThat(intact.resent()).isZero();
        assertThat(intact.busiestShare()).isBetween(0.1, 1.0);
        int cable = fabric.portIndex(5, 2);
        assertThat(fabric.isSwitch(fabric.nodeOf(fabric.peer(cable)))).isTrue();
        JobResult[] twice = new JobResult[2];
        for (int i = 0; i < twice.length; i++) {
            Upkeep upkeep = fails(fabric, routing, engine, 20_000, cable);
            twice[i] = new JobRun(fabric, ports, job, SimSettings.DEFAULT, settings(4), upkeep).run();
        }
        assertThat(twice[0]).isEqualTo(twice[1]);
        assertThat(twice[0].end()).isEqualTo(End.DONE);
        assertThat(twice[0].messages()).isEqualTo(intact.messages());
        assertThat(twice[0].bytes()).isEqualTo(intact.bytes());
        assertThat(twice[0].nanos()).isGreaterThan(intact.nanos());
        assertThat(twice[0].resent()).isPositive();
        assertThat(twice[0].lost().values().stream().mapToLong(count -> count).sum())
                .isEqualTo(twice[0].resent());
        Upkeep gone = fails(fabric, routing, engine, 20_000, ports[3]);
        JobResult broken = new JobRun(fabric, ports, job, SimSettings.DEFAULT, settings(4), gone).run();
        assertThat(broken.end()).isEqualTo(End.BROKEN);
        assertThat(broken.trouble()).contains("is given up: packets were lost, and lost again 3 times");
    }

    @Test
    void aLongMessageOutlivesMoreLossesThanRetriesIfItGetsOn() {
        Fabric fabric = star(2);
        Routing routing = minHop(fabric);
        BitSet cable = new BitSet();
        cable.set(hosts(fabric)[1]);
        int losses = 3 * settings(1).retries();
        List<Incident> incidents = new ArrayList<>();
        for (int i = 1; i <= losses; i++) {
            incidents.add(new Incident.Links(i * 250_000L, "fails", cable, false));
            incidents.add(new Incident.Links(i * 250_000L + 1, "is back", cable, true));
        }
        Job job = new MessageList("m", 2, List.of(new MessageList.Message(0, 1, 3_000_000, 0)));
        Upkeep upkeep = new Upkeep(fabric, routing, incidents, Optional.empty(), 0, 0);
        JobResult result = new JobRun(fabric, hosts(fabric), job, SimSettings.DEFAULT, settings(1), upkeep).run();
        assertThat(result.trouble()).isEmpty();
        assertThat(result.end()).isEqualTo(End.DONE);
        assertThat(result.resent()).isGreaterThanOrEqualTo(losses);
    }

    @Test
    void timeEndsAJob() {
        JobSettings brief = new JobSettings(PAYLOAD, HEADERS, 1, 1000, 1, 5000);
        Fabric fabric = star(3);
        JobResult result = new JobRun(
                        fabric,
                        hosts(fabric),
                        Collectives.allToAll(3, 1 << 20, 1),
                        SimSettings.DEFAULT,
                        brief,
                        Upkeep.none(fabric, minHop(fabric)))
                .run();
        assertThat(result.end()).isEqualTo(End.TIME_OVER);
        assertThat(result.nanos()).isLessThanOrEqualTo(5000);
    }

    @Test
    void partsOfARingAreAllOfTheData() {
        Job job = Collectives.ringAllReduce(7, 100, 1);
        for (int step = 0; step < job.steps(0); step++) {
            long sum = 0;
            for (int rank = 0; rank < 7; rank++) {
                sum += job.bytes(rank, step, 0);
            }
            assertThat(sum).isEqualTo(100);
        }
    }

    @Test
    void badJobsAreRefused() {
        assertThatThrownBy(() -> Collectives.allToAll(1, 1, 1)).hasMessageContaining("expected 2 ranks or more");
        assertThatThrownBy(() -> Collectives.ringAllReduce(1 << 15, 1, 1)).hasMessageContaining("messages");
        assertThatThrownBy(() -> new MessageList.Message(1, 1, 1, 0)).hasMessageContaining("expected another rank");
        assertThatThrownBy(() -> new JobSettings(0, 0, 1, 1, 1, 1)).hasMessageContaining("payload: 0 is not 1");
    }
}
