package org.railyard.fabric.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.sim.FabricSim.Outcome;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import org.railyard.fabric.torus.conf.TorusConfParser;

/** Links that go down in the middle of packets whose heads have gone on: what has not passed by then is lost. */
class LinkCutTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int GROUP = 0xC000;
    private static final SampleTorus ROW = SampleTorus.torus(7, 1, 1, 2);
    private static final SampleTorus PLANE = SampleTorus.torus(4, 3, 1, 2);
    private static final int SEEDS = Boolean.getBoolean("railyard.long") ? 600 : 20;

    private static SimWorld row() {
        Fabric fabric = SimWorld.torus(ROW);
        return new SimWorld(fabric, SimWorld.dor(fabric), SimWorld.SMALL);
    }

    /** Returns the ports that send a packet from one host to another, in the order of its way. */
    private static List<Integer> way(SimWorld world, int from, int to) {
        Fabric fabric = world.fabric();
        Routing routing = SimWorld.dor(fabric);
        List<Integer> ports = new ArrayList<>();
        int port = world.port(from);
        ports.add(port);
        while (fabric.peer(port) != world.port(to)) {
            int sw = fabric.nodeOf(fabric.peer(port));
            port = fabric.portIndex(sw, routing.forwarding().port(sw, world.lid(to)));
            ports.add(port);
        }
        return ports;
    }

    /** 4096 bytes take 4096 ns, a hop 125 ns: the packet lies on five links at once. */
    @Test
    void aPacketIsLostIfItsTailHasNotPassedALinkThatGoesDown() {
        SimWorld model = row();
        List<Integer> way = way(model, 0, 6);
        assertThat(way).hasSize(5);
        for (int hop = 0; hop < way.size(); hop++) {
            long passed = hop * 125L + SimWorld.MTU_PACKET + 25;
            for (long time : new long[] {hop * 125L + 1, hop * 125L + 200, 700, 2000, passed - 1, passed}) {
                for (int end : new int[] {way.get(hop), model.fabric().peer(way.get(hop))}) {
                    SimWorld world = row();
                    SimAudit audit = new SimAudit(world.sim(), world.fabric(), SimWorld.SMALL);
                    world.send(0, 6, 0, SimWorld.MTU_PACKET, 1);
                    world.sim().runUntil(time);
                    world.sim().setLink(end, false);
                    audit.check();
                    world.sim().setLink(end, true);
                    audit.check();
                    assertThat(world.sim().drain(SECOND)).isEqualTo(Outcome.DRAINED);
                    assertThat(world.sim().delivered())
                            .as("hop %d goes down at %d ns", hop, time)
                            .isEqualTo(time < passed ? 0 : 1);
                    assertThat(world.sim().dropped(DropReason.LINK_DOWN)).isEqualTo(time < passed ? 1 : 0);
                    world.sim().runUntil(world.sim().now() + 2 * SimWorld.MTU_PACKET);
                    audit.check();
                    audit.checkEmpty();
                    world.send(0, 6, 0, SimWorld.MTU_PACKET, 2);
                    assertThat(world.sim().drain(SECOND)).isEqualTo(Outcome.DRAINED);
                    assertThat(world.sim().delivered()).isEqualTo(time < passed ? 1 : 2);
                    audit.checkEmpty();
                }
            }
        }
    }

    /**
     * A packet of host 0 waits behind one of host 3 at the switch of both. A link that goes down takes what has not
     * come in full, whether it waits for its turn or is behind another one; what is behind that goes on.
     */
    @ParameterizedTest
    @CsvSource({"1500, 1, 1", "4120, 1, 1", "4121, 0, 2"})
    void whatWaitsIsLostIfItHasNotComeInFull(long time, int lost, int arrived) {
        SimWorld world = row();
        SimAudit audit = new SimAudit(world.sim(), world.fabric(), SimWorld.SMALL);
        world.send(3, 2, 0, SimWorld.MTU_PACKET, 1);
        world.sim().runUntil(1000 - 975);
        world.send(0, 2, 0, SimWorld.MTU_PACKET - 25, 1);
        world.sim().runUntil(time);
        world.sim().setLink(world.port(0), false);
        assertThat(world.lost()).as("at once where it waits").isEqualTo(lost);
        audit.check();
        world.sim().drain(SECOND);
        assertThat(world.sim().delivered()).isEqualTo(arrived);
        world.sim().setLink(world.port(0), true);
        audit.check();
        audit.checkEmpty();
    }

    @Test
    void anEndPortThatTakesNothingHasNoRoomTakenByWhatWasCut() {
        SimWorld world = row();
        SimAudit audit = new SimAudit(world.sim(), world.fabric(), SimWorld.SMALL);
        world.sim().setStopped(world.port(2), true);
        world.send(0, 2, 0, SimWorld.MTU_PACKET, 1);
        world.sim().runUntil(2000);
        world.sim().setLink(world.port(0), false);
        assertThat(world.sim().drain(SECOND)).isEqualTo(Outcome.DRAINED);
        assertThat(world.lost()).isEqualTo(1);
        audit.checkEmpty();
    }

    private static Routing withGroup(Fabric fabric, List<Integer> members) throws Exception {
        MulticastGroup group = new MulticastGroup(GROUP, 0, members);
        return (Routing) new TorusEngine(TorusConfParser.parse(PLANE.conf(1)), TorusOptions.DEFAULT)
                .route(fabric, new EngineOptions(5, 2, List.of(group)));
    }

    private static List<Integer> hosts(Fabric fabric) {
        List<Integer> hosts = new ArrayList<>();
        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
            hosts.add(fabric.portIndex(node, 1));
        }
        return hosts;
    }

    /** Whatever of the tree is behind the link is lost, with copies of copies; what is beside it arrives. */
    @Test
    void ofMulticastAllCopiesBehindTheLinkAreLost() throws Exception {
        Fabric fabric = SimWorld.torus(PLANE);
        List<Integer> hosts = hosts(fabric);
        Routing routing = withGroup(fabric, hosts);
        int links = 0;
        int most = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.peer(port) == Fabric.NONE) {
                continue;
            }
            SimWorld world = new SimWorld(fabric, routing, SimWorld.SMALL);
            SimAudit audit = new SimAudit(world.sim(), fabric, SimWorld.SMALL);
            world.sim().inject(hosts.getFirst(), GROUP, 0, SimWorld.MTU_PACKET, 1);
            world.sim().runUntil(3000);
            boolean used = world.sim().figures().bytes(port) > 0;
            world.sim().setLink(port, false);
            audit.check();
            assertThat(world.sim().drain(SECOND)).isEqualTo(Outcome.DRAINED);
            boolean usedBack = world.sim().figures().bytes(fabric.peer(port)) > 0;
            assertThat(world.lost() > 0).as(fabric.portName(port)).isEqualTo(used || usedBack);
            assertThat(world.sim().delivered() + world.lost())
                    .as("no port is told twice, none is forgotten")
                    .isEqualTo(hosts.size() - 1);
            assertThat(world.sim().injected() + world.sim().copied())
                    .isEqualTo(
                            world.sim().delivered() + world.lost() + world.sim().ended());
            world.sim().runUntil(world.sim().now() + 2 * SimWorld.MTU_PACKET);
            world.sim().setLink(port, true);
            audit.checkEmpty();
            links += used ? 1 : 0;
            most = Math.max(most, (int) world.lost());
        }
        assertThat(links)
                .as("of 23 ports each has its link, as have 11 switches and the sender")
                .isEqualTo(23 + 11 + 1);
        assertThat(most).as("behind the sender's own").isEqualTo(23);
    }

    /** Links go down and up, end ports stop, packets live long or not, of all sizes, unicast and multicast. */
    @Test
    void nothingIsLostTwiceAndNoCreditIsWhateverGoesDown() throws Exception {
        Fabric fabric = SimWorld.torus(PLANE);
        List<Integer> hosts = hosts(fabric);
        Routing routing = withGroup(fabric, hosts);
        long lost = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            SimSettings settings = (random.nextBoolean() ? SimWorld.SMALL : SimSettings.DEFAULT)
                    .withLifetime(random.nextBoolean() ? 0 : 5000)
                    .withDelays(1 + random.nextInt(300), random.nextInt(200));
            CutWorld world = new CutWorld(fabric, routing, settings);
            SimAudit audit = new SimAudit(world.sim, fabric, settings);
            for (int step = 0; step < 150; step++) {
                step(world, hosts, routing, random);
                world.run(random.nextInt(1500));
                audit.check();
                world.assertConserved();
            }
            for (int port = 0; port < fabric.portCount(); port++) {
                world.sim.setLink(port, true);
            }
            hosts.forEach(host -> world.sim.setStopped(host, false));
            assertThat(world.sim.drain(SECOND)).as("seed %d", seed).isEqualTo(Outcome.DRAINED);
            world.assertConserved();
            world.sim.runUntil(world.sim.now() + 10 * SimWorld.MTU_PACKET);
            audit.checkEmpty();
            assertThat(world.wrong).as("seed %d", seed).isEmpty();
            lost += world.sim.dropped(DropReason.LINK_DOWN);
        }
        assertThat(lost).isGreaterThan(10L * SEEDS);
    }

    private static void step(CutWorld world, List<Integer> hosts, Routing routing, SplittableRandom random) {
        Fabric fabric = world.fabric;
        int host = hosts.get(random.nextInt(hosts.size()));
        switch (random.nextInt(8)) {
            case 0 -> world.setLink(random.nextInt(fabric.portCount()), false);
            case 1 -> world.setLink(random.nextInt(fabric.portCount()), true);
            case 2 -> world.setSwitch(random.nextInt(fabric.switchCount()), random.nextBoolean());
            case 3 -> world.sim.setStopped(host, random.nextInt(3) == 0);
            case 4 -> world.send(host, GROUP, 0, 1 + random.nextInt(SimWorld.MTU_PACKET));
            default -> {
                for (int i = 0; i < 4; i++) {
                    int from = hosts.get(random.nextInt(hosts.size()));
                    int sl = from == host ? 0 : routing.sls().sl(fabric.lid(from), fabric.lid(host), 0);
                    world.send(from, fabric.lid(host), sl, 1 + random.nextInt(SimWorld.MTU_PACKET));
                }
            }
        }
    }

    /** Notes which links packets are on, event by event, and which of them therefore must not arrive. */
    private static final class CutWorld implements SimListener {
        private record Passage(int port, long token, long tail) {}

        private final Fabric fabric;
        private final FabricSim sim;
        private final List<Passage> passages = new ArrayList<>();
        private final Set<Long> cut = new TreeSet<>();
        private final List<String> wrong = new ArrayList<>();
        private final long[] lastTail;
        private long tokens;
        private long lost;

        CutWorld(Fabric fabric, Routing routing, SimSettings settings) {
            this.fabric = fabric;
            this.sim = new FabricSim(fabric, routing, settings, this);
            this.lastTail = new long[fabric.portCount()];
        }

        void send(int from, int lid, int sl, int bytes) {
            // Of multicast one copy may be cut and another one not.
            sim.inject(from, lid, sl, bytes, lid >= GROUP ? -1 : tokens++);
            note();
        }

        void run(long nanos) {
            long end = sim.now() + nanos;
            while (sim.nextEventNanos() <= end) {
                sim.runUntil(sim.nextEventNanos());
                note();
            }
            sim.runUntil(end);
        }

        private void note() {
            passages.removeIf(passage -> passage.tail <= sim.now());
            Transmissions sending = sim.switching.sending;
            for (int port = 0; port < lastTail.length; port++) {
                if (sending.isSending(port) && sending.arrives(port) != lastTail[port]) {
                    lastTail[port] = sending.arrives(port);
                    long token = sim.switching.packets.token(sending.packet(port));
                    passages.add(new Passage(port, token, lastTail[port]));
                }
            }
        }

        void setLink(int port, boolean up) {
            int far = fabric.cable(port);
            for (Passage passage : passages) {
                boolean on = passage.port == port || passage.port == far;
                if (!up && on && passage.token >= 0 && passage.tail > sim.now()) {
                    cut.add(passage.token);
                }
            }
            sim.setLink(port, up);
            note();
        }

        void setSwitch(int sw, boolean up) {
            for (int port = 1; port <= fabric.ports(sw); port++) {
                setLink(fabric.portIndex(sw, port), up);
            }
        }

        void assertConserved() {
            assertThat(sim.injected() + sim.copied()).isEqualTo(sim.delivered() + lost + sim.ended() + sim.inside());
        }

        @Override
        public void delivered(long token, int port, long birthNanos, long sentNanos, int hops) {
            if (cut.contains(token)) {
                wrong.add("packet %d, which was cut, arrived at %d ns".formatted(token, sim.now()));
            }
        }

        @Override
        public void dropped(long token, DropReason reason) {
            lost++;
        }
    }
}
