package org.railyard.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.base.host.StoppedHost;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;

/** Configurations on nodes: what a node starts with, what a running one is changed to, and what it refuses. */
class ApplyingTest {
    private static final String TEXT = """
        net:
          - net type: tcp
            local NI(s):
              - nid: 10.0.0.1@tcp
                tunables: {peer_credits: 4, credits: 64}
          - net type: tcp1
            nid: 10.1.0.1@tcp1
        peer:
          - primary nid: 10.0.0.5@tcp
            peer ni:
              - nid: 10.1.0.[5-6]@tcp1
                health stats: {health value: 700}
          - primary nid: 10.0.0.9@tcp
            Multi-Rail: false
        global: {retry_count: 10, transaction_timeout: 11, discovery: 0}
        java: {compat_profile: lustre}
        udsp:
          - src: tcp1
            priority: 3
          - idx: 0
            src: tcp
        """;

    private static LNetConfig.Builder builder() {
        return LNetConfig.builder().host(new StoppedHost(new Random(1))).lnd(new Silent());
    }

    private static void check(LNet node) {
        assertThat(node.nids()).containsExactly(Nid.parse("10.0.0.1@tcp"), Nid.parse("10.1.0.1@tcp1"));
        assertThat(node.nis().getFirst().maxCredits()).isEqualTo(64);
        assertThat(node.settings().get(Tunable.RETRY_COUNT)).isEqualTo(10);
        assertThat(node.settings().get(Tunable.TRANSACTION_TIMEOUT)).isEqualTo(11);
        assertThat(node.settings().is(Tunable.RECOVERY_BACKOFF)).isTrue();
        assertThat(node.peers()).hasSize(2);
        PeerInfo peer = node.peers().getFirst();
        assertThat(peer.nis())
                .extracting(ni -> ni.nid() + " " + ni.health())
                .containsExactly("10.0.0.5@tcp 1000", "10.1.0.5@tcp1 700", "10.1.0.6@tcp1 700");
        assertThat(peer.multiRail()).isTrue();
        assertThat(node.peers().getLast().multiRail()).isFalse();
        assertThat(node.selection().udsp())
                .extracting(Object::toString)
                .containsExactly("src: tcp, action: {priority: 0}", "src: tcp1, action: {priority: 3}");
    }

    @Test
    void aNodeStartsWithIt() throws Exception {
        Configuration config = Configuration.read("c.yaml", TEXT);
        try (LNet node = LNet.start(config.configure(builder()).build())) {
            config.finish(node);
            check(node);
        }
    }

    @Test
    void aRunningNodeIsChanged() throws Exception {
        Configuration config = Configuration.read("c.yaml", TEXT);
        try (LNet node = LNet.start(builder().build())) {
            config.applyTo(node);
            check(node);
            assertThatThrownBy(() -> config.applyTo(node))
                    .isInstanceOfSatisfying(
                            ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EEXIST))
                    .hasMessageStartingWith("EEXIST: c.yaml:4:14: ");
        }
    }

    @Test
    void aLockedPrimaryNidIsLocked() throws Exception {
        try (LNet node = LNet.start(builder().build())) {
            Configuration.read("c.yaml", """
                net: [{net type: tcp, nid: 10.0.0.1@tcp}]
                peer:
                  - {primary nid: 10.0.0.5@tcp, lock_prim: true}
                  - {primary nid: 10.0.0.6@tcp}
                """).applyTo(node);
            assertThat(node.peers()).extracting(PeerInfo::isLocked).containsExactly(true, false);
        }
    }

    @Test
    void tunablesThatGoTogetherInTheEndDoSoInBetween() throws Exception {
        try (LNet node = LNet.start(builder().build())) {
            Configuration.read("c.yaml", """
                global: {retry_count: 200, transaction_timeout: 300}
                java: {resend_interval: 200000}
                """).applyTo(node);
            assertThat(node.settings().get(Tunable.RESEND_INTERVAL)).isEqualTo(200_000);
            assertThat(node.settings().get(Tunable.RETRY_COUNT)).isEqualTo(200);
            Configuration.read("d.yaml", """
                global: {transaction_timeout: 20, retry_count: 3}
                java: {resend_interval: 100}
                """).applyTo(node);
            assertThat(node.settings().get(Tunable.TRANSACTION_TIMEOUT)).isEqualTo(20);
        }
    }

    @Test
    void whatIsFixedAtStartIsRefusedByPlace() throws Exception {
        Configuration config = Configuration.read("c.yaml", "java: {multi_rail: 0}");
        try (LNet node = LNet.start(builder().build())) {
            assertThatThrownBy(() -> config.applyTo(node)).hasMessageStartingWith("EPERM: c.yaml:1:20: ");
        }
    }

    @Test
    void ofTwoFilesTheLaterWins() throws Exception {
        Configuration both = Configuration.read("a.yaml", "global: {retry_count: 1, numa_range: 5}")
                .plus(Configuration.read("b.yaml", "global: {retry_count: 3}"));
        LNetConfig built = both.configure(LNetConfig.builder()).build();
        assertThat(built.settings().get(Tunable.RETRY_COUNT)).isEqualTo(3);
        assertThat(built.settings().get(Tunable.NUMA_RANGE)).isEqualTo(5);
    }

    /** A transport that has every NID and sends nothing. */
    private static final class Silent implements LndProvider, Lnd {
        @Override
        public NetType type() {
            return NetType.TCP;
        }

        @Override
        public Lnd create(LndUpcalls stack, Host host) {
            return this;
        }

        @Override
        public NiBinding resolve(NiRequest request) {
            Nid nid = request.nid();
            if (nid == null) {
                throw new ErrnoException(Errno.ENETDOWN, "no interface " + request.interfaceName());
            }
            return new NiBinding(nid, "test0", -1);
        }

        @Override
        public void startup(LndNi ni) {}

        @Override
        public void shutdown(LndNi ni) {}

        @Override
        public int send(LndNi ni, LndMessage message) {
            return Errno.ENETDOWN.status();
        }

        @Override
        public int timeoutSeconds() {
            return 0;
        }

        @Override
        public void close() {}
    }
}
