package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.railyard.conformance.TestMessage;
import org.railyard.conformance.TestNi;
import org.railyard.fabric.route.PathSls;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.o2iblnd.bond.RouteState;
import org.railyard.o2iblnd.bond.RouteView;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.softverbs.net.FabricFaultRule;
import org.railyard.softverbs.net.TrafficKind;

/** Connections whose path has another SL than the subnet manager tells now are made anew (spec 24 §6.1). */
class ChangedPathsTest {
    private static final String REQUEST = "cm " + TrafficKind.CM_REQUEST;
    private static final int MANY = 300;

    private final IbWorld world = new IbWorld(100_000_000);
    private final RecordingStack stack = new RecordingStack();
    private final RecordingStack far = new RecordingStack();
    private final TestNi ni = IbWorld.ni(0, 0);
    private final O2ibLnd lnd = world.start(0, stack, Tunables.DEFAULT);

    private void start() {
        lnd.startup(ni);
        world.start(1, far, Tunables.DEFAULT).startup(IbWorld.ni(1, 0));
        send(1);
        arrive(1);
        assertThat(world.count(REQUEST)).isEqualTo(1);
    }

    private void send(int count) {
        for (int i = 0; i < count; i++) {
            assertThat(lnd.send(ni, TestMessage.put(IbWorld.nid(0, 0), IbWorld.nid(1, 0), 50_000)))
                    .isZero();
        }
    }

    private void arrive(int all) {
        assertThat(world.time().runUntil(() -> stack.outcomes().size() == all, 60 * IbWorld.SECOND))
                .as("%d of %d", stack.outcomes().size(), all)
                .isTrue();
        assertThat(stack.outcomes()).allMatch(outcome -> outcome.health() == HealthStatus.OK);
        assertThat(far.arrived()).isEqualTo(all);
    }

    private RouteView route() {
        return lnd.routes().getFirst().routes().getFirst();
    }

    @Test
    void aConnectionWithoutTrafficEndsAndTheNextMessageMakesAnother() {
        start();
        world.reroute(PathSls.constant(3));
        world.time().run(IbWorld.SECOND);
        assertThat(route().state()).isEqualTo(RouteState.NEW);
        send(1);
        arrive(2);
        assertThat(world.count(REQUEST)).isEqualTo(2);
        assertThat(stack.peerNews()).as("nobody is to blame").doesNotContain(false);
    }

    @Test
    void underTrafficNothingIsLostAndTheOldOneEnds() {
        start();
        send(MANY);
        assertThat(world.time().runUntil(() -> far.arrived() > MANY / 3, IbWorld.SECOND))
                .isTrue();
        world.reroute(PathSls.constant(3));
        assertThat(stack.outcomes()).hasSizeLessThan(MANY / 2);
        arrive(1 + MANY);
        send(1);
        arrive(2 + MANY);
        assertThat(world.count(REQUEST)).isEqualTo(2);
        world.time().run(2 * IbWorld.SECOND);
        assertThat(world.count("cm " + TrafficKind.CM_DISCONNECT)).isPositive();
        assertThat(route().state()).isEqualTo(RouteState.CONNECTED);
        assertThat(route().connections()).isEqualTo(1);
    }

    @Test
    void aConnectionStaysIfItsOwnPathDoes() {
        start();
        int otherRail = world.port(1, 1).lid();
        world.reroute(new SlTo(otherRail, 3));
        world.time().run(IbWorld.SECOND);
        assertThat(world.count("paths changed")).isPositive();
        send(1);
        arrive(2);
        assertThat(world.count(REQUEST)).isEqualTo(1);
    }

    @Test
    void theOldOneIsUsedAsLongAsThereIsNoOther() {
        start();
        world.fabric()
                .addFault(FabricFaultRule.drop(EnumSet.of(TrafficKind.CM_REQUEST), world.port(0, 0), world.port(1, 0)));
        send(MANY);
        assertThat(world.time().runUntil(() -> far.arrived() > MANY / 3, IbWorld.SECOND))
                .isTrue();
        world.reroute(PathSls.constant(3));
        arrive(1 + MANY);
    }

    @Test
    void anNiMayStopWhileItAsks() {
        start();
        world.reroute(PathSls.constant(3));
        lnd.shutdown(ni);
        world.time().run(IbWorld.SECOND);
        assertThat(lnd.routes()).isEmpty();
    }

    /** SL 0, but for paths to or from one LID. */
    private record SlTo(int lid, int other) implements PathSls {
        @Override
        public int levels() {
            return 1;
        }

        @Override
        public int classes() {
            return 2;
        }

        @Override
        public int classOf(int unicast) {
            return unicast == lid ? 1 : 0;
        }

        @Override
        public int classSl(int sourceClass, int destinationClass, int level) {
            return sourceClass + destinationClass == 0 ? 0 : other;
        }
    }
}
