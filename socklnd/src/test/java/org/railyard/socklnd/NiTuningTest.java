package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.tune.SourcePorts;

/** Tunables of an NI that change while it runs. */
final class NiTuningTest {
    private static final Nid NID = Nid.parse("127.0.0.77@tcp");

    private static LNet start() {
        SockLndConfig config = SockLndConfig.builder()
                .listen(false)
                .sourcePorts(SourcePorts.ANY)
                .build();
        NiRequest ni = NiRequest.ofNid(NID).withLndTunables(Map.of("conns_per_peer", 2));
        return LNet.start(
                LNetConfig.builder().ni(ni).lnd(new SockLndProvider(config)).build());
    }

    @Test
    void whatIsChangedIsShownAndTheRestStays() {
        try (LNet node = start()) {
            assertThat(node.inventory().tuning(NID).lnd().toString())
                    .isEqualTo("{conns_per_peer=2, timeout=50, tos=-1}");
            node.inventory().tune(NID, Map.of("conns_per_peer", 4, "timeout", 20));
            assertThat(node.inventory().tuning(NID).lnd().toString())
                    .isEqualTo("{conns_per_peer=4, timeout=20, tos=-1}");
        }
    }

    @Test
    void theTransportHasTheLongestLimitOfItsNis() {
        try (Node node = new Node("127.0.0.8@tcp", new Node.Ports(), new VirtualHost(), config -> config)) {
            assertThat(node.lnd.timeoutSeconds()).isEqualTo(50);
            LndNi patient = node.add(Nid.parse("127.0.0.9@tcp1"), Map.of("timeout", 70));
            assertThat(node.lnd.timeoutSeconds()).isEqualTo(70);
            node.lnd.tune(node.ni, Map.of("timeout", 0));
            assertThat(node.lnd.timeoutSeconds())
                    .as("one leaves it to the stack")
                    .isZero();
            assertThat(node.lnd.tunables(node.ni)).containsEntry("timeout", 50);
            assertThat(node.lnd.wantedTunables(node.ni)).containsEntry("timeout", 0);
            node.lnd.tune(node.ni, Map.of("timeout", 20));
            node.lnd.shutdown(patient);
            assertThat(node.lnd.timeoutSeconds()).isEqualTo(20);
        }
    }

    @Test
    void minusOneIsTheValueOfTheTransport() {
        try (Node node = new Node(
                "127.0.0.8@tcp",
                new Node.Ports(),
                new VirtualHost(),
                config -> config.set(SockTunable.CONNS_PER_PEER, 4)
                        .set(SockTunable.SOCK_TIMEOUT, 70)
                        .set(SockTunable.TOS, 16))) {
            node.lnd.tune(node.ni, Map.of("conns_per_peer", 2, "timeout", 20, "tos", 8));
            assertThat(node.lnd.tunables(node.ni)).hasToString("{conns_per_peer=2, timeout=20, tos=8}");
            node.lnd.tune(node.ni, Map.of("conns_per_peer", -1, "timeout", -1, "tos", -1));
            assertThat(node.lnd.tunables(node.ni)).hasToString("{conns_per_peer=4, timeout=70, tos=16}");
        }
    }

    @Test
    void aValueOutOfRangeChangesNothing() {
        try (LNet node = start()) {
            assertThatThrownBy(() -> node.inventory().tune(NID, Map.of("conns_per_peer", 4, "tos", 256)))
                    .isInstanceOfSatisfying(
                            ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
            assertThat(node.inventory().tuning(NID).lnd()).containsEntry("conns_per_peer", 2);
        }
    }
}
