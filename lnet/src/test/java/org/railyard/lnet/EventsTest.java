package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.host.Traced;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.NodeEvent;
import org.railyard.lnet.api.NodeEventKind;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.sim.ScriptedPeer;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.PingInfo;

/** What a node tells of itself as it happens, to a listener and to whoever records. */
class EventsTest extends TwoRails {
    private static final String A_TO = "a message from 10.0.";

    /** Of both nodes. */
    private final List<NodeEvent> told = new ArrayList<>();

    private final List<Traced> traced = new ArrayList<>();

    @Override
    TestNetwork network() {
        return new TestNetwork().heardBy(told::add, traced::add);
    }

    private List<String> take(NodeEventKind... kinds) {
        List<NodeEventKind> wanted = List.of(kinds);
        List<String> texts = told.stream()
                .filter(each -> wanted.isEmpty() || wanted.contains(each.kind()))
                .map(NodeEvent::text)
                .toList();
        told.clear();
        return texts;
    }

    private <T extends Traced> List<T> traced(Class<T> type) {
        return traced.stream().filter(type::isInstance).map(type::cast).toList();
    }

    @Test
    void theStartAndTheDiscovery() {
        assertThat(take())
                .containsOnlyOnce(
                        "NI 10.0.0.1@tcp on test0 is new",
                        "NI 10.0.1.1@tcp on test0 is new",
                        "peer 10.0.0.2@tcp is new",
                        "peer 10.0.0.2@tcp is discovered: 2 NIDs");
        assertThat(traced(Traced.Discovery.class))
                .contains(new Traced.Discovery(B, 2, 0, 0))
                .allMatch(each -> each.status() == 0);
    }

    @Test
    void nisThatComeAndGo() {
        Nid third = Nid.parse("10.0.2.1@tcp");
        take();
        a.addNi(NiRequest.ofNid(third));
        a.removeNi(third);
        assertThat(take(NodeEventKind.NI_ADDED, NodeEventKind.NI_REMOVED))
                .containsExactly("NI 10.0.2.1@tcp on test0 is new", "NI 10.0.2.1@tcp is removed");
    }

    @Test
    void aDeviceThatFailsAndWorksAgain() {
        take();
        net.device(A.toString(), DeviceEvent.FATAL);
        assertThat(take(NodeEventKind.DEVICE_DOWN, NodeEventKind.NI_DOWN))
                .containsExactly(
                        "the device of NI 10.0.0.1@tcp failed, or lost its link",
                        "NI 10.0.0.1@tcp is down: its device failed");
        net.device(A.toString(), DeviceEvent.CLEAR);
        net.device(A.toString(), DeviceEvent.DEGRADED);
        assertThat(take())
                .contains(
                        "the device of NI 10.0.0.1@tcp works again",
                        "NI 10.0.0.1@tcp is up again: its device works again",
                        "the device of NI 10.0.0.1@tcp works worse than it should",
                        "NI 10.0.0.1@tcp: health 1000 → 900");
    }

    @Test
    void aConnectionThatIsLostAndMadeAgain() {
        take();
        net.notifyPeer(A, B, false, false, net.now(a));
        net.notifyPeer(A, B, true, true, net.now(a));
        net.notifyPeer(A, Nid.parse("10.0.0.77@tcp"), false, false, net.now(a));
        net.notifyPeer(A, Nid.parse("10.0.0.2@tcp1"), false, false, net.now(a));
        net.notifyPeer(A, B, false, false, net.now(a) + 1);
        assertThat(take(NodeEventKind.CONNECTION_DOWN, NodeEventKind.CONNECTION_UP))
                .as("over nets that they are on, in the past")
                .containsExactly(
                        "no connection with peer NI 10.0.0.2@tcp from 10.0.0.1@tcp",
                        "connected with peer NI 10.0.0.2@tcp from 10.0.0.1@tcp",
                        "no connection with peer NI 10.0.0.77@tcp from 10.0.0.1@tcp");
    }

    @Test
    void aConnectionThatIsLostWhileThePeerLives() {
        take();
        Nid stranger = Nid.parse("10.0.0.77@tcp");
        net.connection(A, stranger, true);
        net.connection(A, stranger, false);
        net.connection(A, Nid.parse("10.0.0.2@tcp1"), false);
        net.connection(A, B, false);
        assertThat(take(NodeEventKind.CONNECTION_DOWN, NodeEventKind.CONNECTION_UP))
                .as("known or not, over nets that they are on")
                .containsExactly(
                        "connected with peer NI 10.0.0.77@tcp from 10.0.0.1@tcp",
                        "no connection with peer NI 10.0.0.77@tcp from 10.0.0.1@tcp",
                        "no connection with peer NI 10.0.0.2@tcp from 10.0.0.1@tcp");
    }

    @Test
    void aMessageThatFailsAndIsSentAgain() {
        sink(BITS, 8, new Recorder());
        fail(1, HealthStatus.LOCAL_TIMEOUT);
        take();
        traced.clear();
        put(source(8, new Recorder()), false);
        List<NodeEvent> all = List.copyOf(told);
        assertThat(take(NodeEventKind.MESSAGE_FAILED))
                .singleElement()
                .asString()
                .startsWith(A_TO)
                .endsWith(" failed: LOCAL_TIMEOUT: EIO (input/output error)");
        assertThat(all)
                .filteredOn(each -> each.kind() == NodeEventKind.MESSAGE_RESENT)
                .singleElement()
                .satisfies(each -> assertThat(each.isBad()).isTrue())
                .satisfies(each -> assertThat(each.text())
                        .startsWith(A_TO)
                        .contains(" was sent again, after LOCAL_TIMEOUT: attempt 2 of at most "));
        assertThat(all)
                .filteredOn(each -> each.kind() == NodeEventKind.NI_HEALTH || each.kind() == NodeEventKind.PEER_HEALTH)
                .allSatisfy(each -> assertThat(each.isBad()).isTrue())
                .isNotEmpty();
        assertThat(traced(Traced.Resend.class))
                .singleElement()
                .satisfies(each -> assertThat(each.attempt()).isEqualTo(2))
                .satisfies(each -> assertThat(each.ni()).isNotEqualTo(each.failedNi()));
        assertThat(traced(Traced.Message.class))
                .filteredOn(Traced.Message::sent)
                .extracting(Traced.Message::attempt, each -> String.valueOf(each.health()))
                .containsExactly(tuple(1, "LOCAL_TIMEOUT"), tuple(2, "OK"));
        assertThat(traced(Traced.Message.class))
                .filteredOn(each -> !each.sent())
                .as("at the other side")
                .hasSize(1);
        assertThat(traced(Traced.HealthChange.class)).isNotEmpty();
    }

    /** Requests and answers without payload are messages, too: what is traced adds up to what is counted. */
    @Test
    void eachMessageThatIsReceivedIsTraced() {
        sink(BITS, 8, new Recorder());
        traced.clear();
        put(source(8, new Recorder()), true);
        var _ = a.ping(B, Nid.ANY, Duration.ofSeconds(1));
        net.settle();
        assertThat(traced(Traced.Message.class))
                .filteredOn(each -> !each.sent())
                .allSatisfy(each -> assertThat(each.health()).isEqualTo(HealthStatus.OK))
                .extracting(each -> each.type().toString())
                .containsExactlyInAnyOrder("PUT", "ACK", "GET", "REPLY");
    }

    @Test
    void whatIsDroppedAndWhatStaysUnanswered() {
        take();
        // The portal is in use, so that nobody waits for a match.
        sink(BITS + 1, 8, new Recorder());
        put(a.bind(MdConfig.of(memory(8)).withOptions(MdOption.TRACK_RESPONSE).withHandler(new Recorder())), true);
        assertThat(take(NodeEventKind.MESSAGE_DROPPED))
                .singleElement()
                .asString()
                .startsWith(A_TO)
                .endsWith(" was dropped: no match");
        net.pass(200);
        assertThat(take(NodeEventKind.RESPONSE_EXPIRED))
                .singleElement()
                .asString()
                .startsWith("no answer in time to a PUT sent to 10.0.");
    }

    @Test
    void aMessageThatIsNotSentInTime() {
        net.hold(header -> header.portal() == PORTAL);
        put(source(8, new Recorder()), false);
        take();
        net.pass(a.settings().get(Tunable.TRANSACTION_TIMEOUT));
        assertThat(take(NodeEventKind.MESSAGE_EXPIRED))
                .containsExactly("a message to 10.0.0.2@tcp was not sent in time");
    }

    @Test
    void aDiscoveryThatFails() {
        take();
        net.cut(B);
        net.cut(B2);
        var failed = a.discover(B, true);
        net.settle();
        net.pass(200);
        assertThat(failed.toCompletableFuture()).isCompletedExceptionally();
        assertThat(take(NodeEventKind.DISCOVERY_FAILED))
                .isNotEmpty()
                .allMatch(text -> text.startsWith("discovery of peer"));
    }

    @Test
    void routesAndGatewaysUpAndDown() {
        Nid gateway = Nid.parse("10.0.0.7@tcp");
        Nid far = Nid.parse("10.7.0.7@tcp7");
        int features = PingInfo.MULTI_RAIL | PingInfo.DISCOVERY;
        ScriptedPeer router = new ScriptedPeer(net, gateway, far).says(features, 1, gateway, far);
        take();
        a.routes().add(far.net(), gateway, 1, 0);
        net.pass(1);
        assertThat(take(NodeEventKind.ROUTE_UP)).hasSize(1);
        router.says(features | PingInfo.RTE_DISABLED, 1, gateway, far);
        net.pass(a.settings().get(Tunable.ALIVE_ROUTER_CHECK_INTERVAL) + 1);
        assertThat(take(NodeEventKind.ROUTE_DOWN))
                .containsExactly("a route by gateway 10.0.0.7@tcp is down: tcp7, its gateway has routing off");
        net.cut(gateway);
        net.pass(2 * a.settings().get(Tunable.ALIVE_ROUTER_CHECK_INTERVAL) + 200);
        assertThat(take(NodeEventKind.GATEWAY_DOWN))
                .singleElement()
                .asString()
                .startsWith("gateway 10.0.0.7@tcp is down: ");
    }
}
