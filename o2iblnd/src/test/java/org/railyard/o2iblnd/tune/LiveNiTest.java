package org.railyard.o2iblnd.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.tune.LiveNi.Bound;
import org.railyard.o2iblnd.tune.LiveNi.Interface;
import org.railyard.o2iblnd.tune.LiveNi.Peer;
import org.railyard.o2iblnd.tune.LiveNi.Route;
import org.railyard.o2iblnd.wire.ConnectionParameters;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.DeviceAttributes;

/** What is known of a node that runs, as the calculator takes it. */
class LiveNiTest {
    private static final Tunables SIXTEEN = Tunables.DEFAULT.with(O2ibTunable.PEER_CREDITS, 16);
    private static final Interface WIDE = new Interface("ib0", "mlx5_0", DeviceAttributes.MLX5, Registration.FASTREG);
    private static final Interface NARROW =
            new Interface("ib1", "mlx5_1", DeviceAttributes.MLX5.withQueueLimits(2_600, 1 << 20), Registration.FASTREG);

    private static Route route(String from, int connections, int depth) {
        return new Route(from, "10.1.0.9", false, connections, 2, ConnectionParameters.of(depth, 257));
    }

    private static Route idle(String from) {
        return new Route(from, "10.1.0.9", false, 0, 2, null);
    }

    private static LiveNi ni(Tunables tunables, List<Interface> interfaces, Peer... peers) {
        return new LiveNi(Nid.parse("10.1.0.2@o2ib"), tunables, interfaces, List.of(peers));
    }

    private static Peer peer(int number, Route... routes) {
        return new Peer(Nid.parse("10.1.0." + number + "@o2ib"), List.of(routes));
    }

    @Test
    @Requirement("mod-045")
    void whoBoundsAConnection() {
        LiveNi ni = ni(SIXTEEN, List.of(WIDE, NARROW), peer(9, route("ib0", 1, 16), route("ib1", 1, 10)));
        assertThat(ni.bound(route("ib0", 1, 16))).isEqualTo(Bound.THIS_NODE);
        assertThat(ni.bound(route("ib0", 1, 12))).isEqualTo(Bound.PEER);
        assertThat(ni.bound(route("ib1", 1, 10)))
                .as("2600 work requests are 10 messages")
                .isEqualTo(Bound.DEVICE);
        assertThat(ni.sizing(route("ib0", 1, 12)).sendRequests()).isEqualTo(12 * 260);
    }

    @Test
    @Requirement("mod-045")
    void whoSpeaksTheOldProtocolIsBoundByIt() {
        Route old = new Route("ib0", "10.1.0.7", false, 1, 1, ConnectionParameters.of(8, 256));
        LiveNi ni = ni(SIXTEEN, List.of(WIDE), peer(7, old));
        assertThat(ni.bound(old)).isEqualTo(Bound.PROTOCOL);
        assertThat(ni.sizing(old).receives()).as("no buffers beside for NOOPs").isEqualTo(16);
        assertThat(ni.sizing(old, SIXTEEN.with(O2ibTunable.PEER_CREDITS, 32)).queueDepth())
                .isEqualTo(8);
    }

    @Test
    @Requirement("mod-045")
    void aPeerThatBoundsNowBoundsThen() {
        LiveNi ni = ni(SIXTEEN, List.of(WIDE), peer(9, route("ib0", 1, 12)), peer(8, route("ib0", 1, 16)));
        Tunables more = SIXTEEN.with(O2ibTunable.PEER_CREDITS, 32);
        assertThat(ni.sizing(route("ib0", 1, 12), more).queueDepth()).isEqualTo(12);
        assertThat(ni.sizing(route("ib0", 1, 16), more).queueDepth()).isEqualTo(32);
        Tunables fewer = SIXTEEN.with(O2ibTunable.PEER_CREDITS, 8);
        assertThat(ni.sizing(route("ib0", 1, 12), fewer).queueDepth()).isEqualTo(8);
        assertThat(ni.peerTunables(more))
                .as("one peer allows as much as it was asked for")
                .isSameAs(more);
    }

    @Test
    @Requirement("mod-045")
    void peersThatAllAllowLessAreTakenForThat() {
        LiveNi ni = ni(SIXTEEN, List.of(WIDE), peer(9, route("ib0", 1, 4)), peer(8, route("ib0", 1, 6)));
        assertThat(Calculator.calculate(ni.scene())
                        .figure("connection.queue_depth")
                        .value())
                .isEqualTo(6);
        LiveNi half = ni(SIXTEEN, List.of(WIDE), peer(9, route("ib0", 1, 4)), peer(8, idle("ib0")));
        assertThat(Calculator.calculate(half.scene())
                        .figure("connection.queue_depth")
                        .value())
                .as("of one nothing is known")
                .isEqualTo(16);
    }

    @Test
    @Requirement("mod-045")
    void theSceneIsThatOfTheTightestDevice() {
        LiveNi ni = ni(
                SIXTEEN,
                List.of(WIDE, NARROW),
                peer(9, route("ib0", 1, 16), idle("ib1"), new Route("ib1", "10.1.3.9", true, 1, 2, null)),
                peer(8));
        Scene scene = ni.scene();
        assertThat(scene.device()).isEqualTo(NARROW.attributes());
        assertThat(scene.peers()).isEqualTo(2);
        assertThat(scene.routes()).as("those that take turns").isEqualTo(2);
        LiveNi alone = ni(SIXTEEN, List.of(WIDE, NARROW));
        assertThat(alone.scene().peers()).isEqualTo(1);
        assertThat(alone.scene().routes()).isEqualTo(2);
    }

    @Test
    @Requirement("mod-045")
    void figuresAreSumsOfWhatIsUp() {
        LiveNi ni = ni(SIXTEEN, List.of(WIDE), peer(9, route("ib0", 2, 16)), peer(8, idle("ib0")));
        assertThat(ni.figures().stream().map(figure -> figure.fullName() + " " + figure.text()))
                .containsExactly(
                        "live.peers 2",
                        "live.peers_connected 1",
                        "live.connections 2",
                        "live.send_work_requests 8320",
                        "live.receive_work_requests 68",
                        "live.cq_entries 8388",
                        "live.receive_bytes 278528");
    }
}
