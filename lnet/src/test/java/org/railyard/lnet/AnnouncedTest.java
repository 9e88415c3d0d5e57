package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.PingReply;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.lnet.wire.PingInfo;

/** What a node says of itself, and what a ping tells of it (spec 10 §19, 11 §5, 12 §4.8). */
class AnnouncedTest {
    private static final Nid A0 = Nid.parse("10.0.0.1@tcp");
    private static final Nid B0 = Nid.parse("10.0.0.2@tcp");
    private static final Nid B1 = Nid.parse("10.0.1.2@tcp");

    private final TestNetwork net = new TestNetwork();

    @AfterEach
    void close() {
        net.releaseAll();
        net.close();
    }

    private PingReply ping(LNet from, Nid target) {
        return net.await(from.ping(target, Nid.ANY, Duration.ofSeconds(1)));
    }

    @Test
    void theNumberStartsAtTheSecondsOfTheEpochAndGrowsByOne() {
        LNet a = net.node(A0.toString());
        LNet b = net.node(B0.toString());
        int first = ping(b, A0).info().sequence();
        assertThat(first).as("the clock of the network began there").isBetween(1_700_000_000, 1_700_002_000);
        a.addNi(net.request("10.0.1.1@tcp"));
        assertThat(ping(b, A0).info().sequence()).isEqualTo(first + 1);
        a.setHealth(A0, 900);
        assertThat(ping(b, A0).info().sequence())
                .as("a state needs no new number")
                .isEqualTo(first + 1);
        a.setHealth(Nid.parse("10.0.1.1@tcp"), 0);
        net.settle();
        PingReply down = ping(b, A0);
        assertThat(down.info().sequence())
                .as("not even that of one that is down")
                .isEqualTo(first + 1);
        assertThat(down.info().entries().getLast().status()).isEqualTo(PingInfo.STATUS_DOWN);
        assertThat(ping(b, A0).nids()).containsExactly(A0, Nid.parse("10.0.1.1@tcp"));
    }

    @Test
    void noMoreNidsAreSaidThanThereMayBe() {
        Settings few = Settings.of(CompatProfile.DOCUMENTS).with(Tunable.MAX_INTERFACES, 16);
        LNet b = net.node(B0.toString());
        LNet a = net.node(
                few,
                IntStream.rangeClosed(1, 15)
                        .mapToObj(i -> "10.0." + i + ".1@tcp")
                        .toArray(String[]::new));
        Nid first = a.nids().getFirst();
        assertThat(ping(b, first).nids()).as("16 with loopback").isEqualTo(a.nids());
        a.addNi(net.request("10.0.99.1@tcp"));
        assertThat(ping(b, first).nids()).hasSize(15).doesNotContain(Nid.parse("10.0.99.1@tcp"));
    }

    @Test
    void aPingTellsWhatIsKnownOfItsTarget() {
        LNet a = net.node(A0.toString(), "10.0.1.1@tcp");
        net.node(B0.toString(), B1.toString());
        PingReply unknown = ping(a, B1);
        assertThat(unknown.primaryNid()).isEqualTo(B1);
        assertThat(unknown.multiRail()).isFalse();
        net.await(a.discover(B1, false));
        PingReply known = ping(a, B1);
        assertThat(known.primaryNid()).isEqualTo(B0);
        assertThat(known.multiRail()).isTrue();
        assertThat(known.nids()).containsExactly(B0, B1);
        net.await(a.discover(A0, false));
        assertThat(ping(a, A0).multiRail()).as("the node itself").isFalse();
        PingReply itself = ping(a, Nid.LOOPBACK);
        assertThat(itself.multiRail()).isTrue();
        assertThat(itself.primaryNid()).isEqualTo(Nid.LOOPBACK);
    }

    @Test
    void aDiscoveredPeerThatIsNotMultiRailIsKnownByTheNidThatWasAsked() {
        LNet a = net.node(A0.toString());
        net.node(Settings.of(CompatProfile.DOCUMENTS).with(Tunable.MULTI_RAIL, false), B0.toString(), B1.toString());
        net.await(a.discover(B0, false));
        PingReply reply = ping(a, B0);
        assertThat(reply.primaryNid()).isEqualTo(B0);
        assertThat(reply.multiRail()).isFalse();
    }

    @Test
    void aPingThatCanNotBeSentFailsAsTheMessageDid() {
        LNet a = net.node(A0.toString());
        net.node(B0.toString());
        net.fail(header -> new TestNetwork.Failure(Errno.EHOSTUNREACH, HealthStatus.LOCAL_DROPPED));
        assertThat(net.awaitError(a.ping(B0, Nid.ANY, Duration.ofSeconds(1))).errno())
                .isEqualTo(Errno.EHOSTUNREACH);
    }

    @Test
    void whoWaitsForAPingIsToldThatTheNodeStops() {
        LNet a = net.node(A0.toString());
        net.node(B0.toString());
        net.lose(MessageType.GET);
        List<CompletionStage<PingReply>> pings =
                List.of(a.ping(B0, Nid.ANY, Duration.ofSeconds(5)), a.ping(B1, Nid.ANY, Duration.ofSeconds(5)));
        net.settle();
        a.close();
        assertThat(net.awaitError(pings.getFirst()).errno()).isEqualTo(Errno.ESHUTDOWN);
    }
}
