package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.sim.DropReason;
import org.railyard.fabric.sim.FabricSim;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.sm.program.PortPolicy;

/** Packets on a subnet that the subnet manager changes meanwhile. */
class TrafficTest {
    private static final long MICRO = 1_000;

    /** 4.096 µs · 2^6: packets on old routes have died out after this. */
    private static final int LIFE_TIME = 6;

    /** One run: a subnet, its manager, and packets. */
    private static final class Run {
        final SplittableRandom random;
        final SimulatedSm sm;
        final Fabric fabric;
        final Devices devices;
        private LiveTraffic traffic;
        private int broken = Fabric.NONE;

        Run(SampleTorus torus, long seed, boolean keepTurnsBack) {
            random = new SplittableRandom(seed);
            SmSettings settings = brief(SimulatedSm.torus(torus)).withTurnsBack(keepTurnsBack);
            sm = new SimulatedSm(torus.fabric(), settings, TextStore.NONE, random.nextLong()).started();
            devices = new Devices(sm.subnet);
            fabric = devices.live(PortState.ACTIVE);
            traffic = new LiveTraffic(fabric, routing(), now(), random.split());
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                watch(sw);
            }
        }

        private long now() {
            return sm.subnet.loop().nanoTime();
        }

        Routing routing() {
            return devices.routing(sm.snapshot().routing().orElseThrow().sls(), fabric);
        }

        /** The answer to a Set leaves when the switch has the new entries. */
        private void watch(int sw) {
            sm.subnet.tamper(sw, answer -> {
                if (answer.isAbout(LinearForwardingTable.TYPE)) {
                    traffic.until(now());
                    byte[] row = new byte[fabric.maxLid() + 1];
                    for (int lid = 0; lid < row.length; lid++) {
                        row[lid] = (byte) sm.subnet.node(sw).forward(lid);
                    }
                    traffic.table(sw, row);
                } else if (answer.isAbout(PortInfo.TYPE) && broken != Fabric.NONE && isActive(broken)) {
                    traffic.until(now());
                    traffic.link(broken, true);
                }
                return answer;
            });
        }

        private boolean isActive(int port) {
            int peer = fabric.cable(port);
            return sm.subnet.isUp(port) && state(port) == PortState.ACTIVE && state(peer) == PortState.ACTIVE;
        }

        private PortState state(int port) {
            return sm.subnet
                    .node(fabric.nodeOf(port))
                    .portInfo(fabric.portNumber(port))
                    .state();
        }

        void pass(long nanos) {
            sm.subnet.loop().runFor(nanos);
            traffic.until(now());
        }

        void lose(int port) {
            traffic.until(now());
            broken = port;
            traffic.link(port, false);
            sm.subnet.unlink(port);
            assertThat(sm.settle()).isTrue();
            traffic.until(now());
        }

        void bringBack(int port) {
            sm.subnet.relink(port);
            assertThat(sm.settle()).isTrue();
            traffic.until(now());
        }
    }

    /** The usual settings with packets that do not live long, so that there need not be so many. */
    private static SmSettings brief(SmSettings usual) {
        PortPolicy of = usual.ports();
        PortPolicy ports = new PortPolicy(
                of.gidPrefix(),
                of.maxOpVls(),
                of.subnetTimeout(),
                LIFE_TIME,
                of.hoqSwitch(),
                of.hoqEnd(),
                of.qos(),
                of.highLimits(),
                of.key(),
                of.enforcement());
        return new SmSettings(
                usual.routing(),
                usual.lidOrder(),
                usual.lmc(),
                usual.keepLids(),
                usual.keys(),
                ports,
                usual.requests(),
                usual.sweepNanos(),
                50 * MICRO,
                usual.role(),
                usual.allowSlChange(),
                usual.restartLinks(),
                usual.keepTurnsBack());
    }

    private static List<Integer> cables(Fabric fabric) {
        List<Integer> cables = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            int peer = fabric.cable(port);
            boolean between =
                    peer > port && fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.nodeOf(peer));
            if (between) {
                cables.add(port);
            }
        }
        return cables;
    }

    private static void fine(LiveTraffic traffic) {
        assertThat(traffic.sim().deadlock()).isEmpty();
        assertThat(traffic.sim().dropped(DropReason.ROUND)).isZero();
    }

    /** What the plan of a change is for: the same change, switch by switch, in the order of their GUIDs. */
    @Test
    void inTheOrderOfGuidsPacketsGoRound() {
        SampleTorus torus = SampleTorus.torus(8, 3, 1, 1);
        long round = 0;
        for (int seed = 0; seed < 10; seed++) {
            Run run = new Run(torus, seed, true);
            List<Integer> cables = cables(run.fabric);
            int port = cables.get(run.random.nextInt(cables.size()));
            Routing before = run.routing();
            run.lose(port);
            Routing after = run.routing();
            LiveTraffic careless = new LiveTraffic(run.fabric, before, 0, run.random.split());
            careless.until(100 * MICRO);
            careless.link(port, false);
            for (int sw = 0; sw < run.fabric.switchCount(); sw++) {
                careless.until((100 + 5L * sw) * MICRO);
                byte[] row = new byte[run.fabric.maxLid() + 1];
                for (int lid = 0; lid < row.length; lid++) {
                    row[lid] = (byte) after.forwarding().port(sw, lid);
                }
                careless.table(sw, row);
            }
            careless.until(400 * MICRO);
            round += careless.sim().dropped(DropReason.ROUND)
                    + (careless.sim().deadlock().isPresent() ? 1 : 0);
        }
        assertThat(round).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"8,3,1,false", "5,5,1,false", "4,4,3,false", "8,3,1,true", "5,5,1,true", "4,4,3,true"})
    void packetsAreLostOnlyOnWhatBroke(int x, int y, int z, boolean keepTurnsBack) {
        SampleTorus torus = SampleTorus.torus(x, y, z, 1);
        for (int seed = 0; seed < 6; seed++) {
            Run run = new Run(torus, seed, keepTurnsBack);
            List<Integer> cables = cables(run.fabric);
            int port = cables.get(run.random.nextInt(cables.size()));
            Routing before = run.routing();
            run.pass(200 * MICRO);
            assertThat(run.traffic.lost((_, _) -> false)).isEmpty();

            run.lose(port);
            run.pass(300 * MICRO);
            fine(run.traffic);
            int peer = run.fabric.cable(port);
            assertThat(run.traffic.lost((from, to) -> {
                        List<Integer> path = LiveTraffic.path(run.fabric, before, from, to);
                        return path.contains(port) || path.contains(peer);
                    }))
                    .as("seed %d", seed)
                    .isEmpty();

            Routing without = run.routing();
            run.bringBack(port);
            run.pass(300 * MICRO);
            fine(run.traffic);
            Routing whole = run.routing();
            assertThat(run.traffic.lost((from, to) -> !LiveTraffic.path(run.fabric, without, from, to)
                            .equals(LiveTraffic.path(run.fabric, whole, from, to))))
                    .as("seed %d", seed)
                    .isEmpty();
            assertThat(run.traffic.drain()).isEqualTo(FabricSim.Outcome.DRAINED);
            assertThat(run.traffic.sim().injected()).isPositive();
        }
    }
}
