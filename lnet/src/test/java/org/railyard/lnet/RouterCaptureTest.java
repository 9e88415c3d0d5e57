package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.Routes;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.sim.TestNetwork;

/**
 * A kernel router between two kernel clients was recorded: routing switched on, routes added, checks every 5 s, a ping
 * and a discovery across. The same with nodes of ours, as the first client and its router exchange it.
 */
class RouterCaptureTest {
    private static final Nid CLIENT = Nid.parse("10.99.0.11@tcp");
    private static final Nid ROUTER = Nid.parse("10.99.0.12@tcp");
    private static final Nid OTHER = Nid.parse("10.99.1.13@tcp1");

    private final TestNetwork net = new TestNetwork();

    /**
     * Returns what went between the client and its router since the last call: type, {@code >} from the client, and the
     * payload.
     */
    private List<String> exchanged() {
        List<String> lines = new ArrayList<>();
        for (TestNetwork.Packet packet : net.takeLog()) {
            boolean out = packet.from().equals(CLIENT);
            boolean in = packet.from().equals(ROUTER);
            if (out || in) {
                int bytes = packet.payload().length;
                lines.add((out ? "> " : "< ") + packet.header().type() + (bytes == 0 ? "" : " " + bytes));
            }
        }
        return lines;
    }

    @Test
    void asRecorded() {
        Settings settings = Settings.of(CompatProfile.LUSTRE)
                .with(Tunable.ALIVE_ROUTER_CHECK_INTERVAL, 5)
                .with(Tunable.ROUTER_PING_TIMEOUT, 5);
        LNet router = net.node(settings, ROUTER.toString(), "10.99.1.12@tcp1");
        LNet client = net.node(settings, CLIENT.toString());
        LNet other = net.node(settings, OTHER.toString());
        router.routing().enable();
        net.pass(3);
        client.routes().add(Net.parse("tcp1"), ROUTER, Routes.UNDEFINED_HOPS, 0);
        net.settle();
        List<String> check = List.of("> GET", "< REPLY 64", "> PUT 48", "< ACK");
        List<String> push = List.of("< PUT 64", "> ACK");
        assertThat(exchanged()).startsWith(check.toArray(String[]::new)).endsWith(push.toArray(String[]::new));
        other.routes().add(Net.TCP, Nid.parse("10.99.1.12@tcp1"), Routes.UNDEFINED_HOPS, 0);
        net.settle();
        assertThat(exchanged()).as("the router's far side is up now").isEqualTo(push);
        assertThat(client.routes().list().getFirst().isUp()).isFalse();
        assertThat(client.routes().list().getFirst().singleHop()).isFalse();
        expectUnreachable(client);
        exchanged();
        net.pass(5);
        assertThat(exchanged()).isEqualTo(check);
        net.pass(4);
        assertThat(exchanged()).as("forwarding is told").isEqualTo(push);
        assertThat(client.routes().list().getFirst().isUp()).isTrue();
        assertThat(client.routes().list().getFirst().singleHop()).isTrue();
        net.await(client.ping(OTHER, Nid.ANY, Duration.ofSeconds(5)));
        assertThat(exchanged()).containsExactly("> GET", "< REPLY 48");
        net.await(client.discover(OTHER, false));
        assertThat(exchanged()).containsExactly("> GET", "< REPLY 48", "> PUT 48", "< ACK", "< PUT 48", "> ACK");
        assertThat(client.peers()).extracting(PeerInfo::state).containsExactly(131349, 273);
        assertThat(other.peers()).extracting(PeerInfo::state).containsExactly(131349, 273);
        assertThat(other.peers().getFirst().primaryNid())
                .as("whichever NID named it")
                .isEqualTo(ROUTER);
        net.close();
    }

    private void expectUnreachable(LNet client) {
        ErrnoException error = net.awaitError(client.ping(OTHER, Nid.ANY, Duration.ofSeconds(5)));
        assertThat(error.errno()).isEqualTo(Errno.EHOSTUNREACH);
    }
}
