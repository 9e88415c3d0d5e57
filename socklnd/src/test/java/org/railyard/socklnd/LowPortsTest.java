package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.host.RealHost;
import org.railyard.socklnd.io.LowPorts;
import org.railyard.socklnd.io.SocketTuning;
import org.railyard.socklnd.tune.AcceptPolicy;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SourcePorts;
import org.railyard.testkit.NeedsRoot;

/** Ports that only the privileged may use, and listeners that can not be. */
class LowPortsTest {
    private static final InetAddress LOCAL = InetAddress.ofLiteral("127.0.8.1");

    @Test
    @NeedsRoot
    void dialsFrom1023Downwards() throws IOException {
        try (ServerSocketChannel first = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.8.2", 0));
                ServerSocketChannel second = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.8.2", 0))) {
            List<SocketChannel> open = new ArrayList<>();
            List<Integer> used = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                open.add(dial(first));
                used.add(((InetSocketAddress) open.getLast().getLocalAddress()).getPort());
            }
            assertThat(used)
                    .isSortedAccordingTo((a, b) -> Integer.compare(b, a))
                    .doesNotHaveDuplicates();
            assertThat(used).allMatch(port -> port >= LowPorts.LOWEST && port <= LowPorts.HIGHEST);
            // Another peer can be dialled from the same port.
            open.add(dial(second));
            assertThat(((InetSocketAddress) open.getLast().getLocalAddress()).getPort())
                    .isEqualTo(used.getFirst());
            for (SocketChannel channel : open) {
                channel.close();
            }
        }
    }

    private static SocketChannel dial(ServerSocketChannel server) throws IOException {
        SocketTuning tuning = new SocketTuning(SockLndConfig.defaults(), 0x10);
        return LowPorts.connect(LOCAL, (InetSocketAddress) server.getLocalAddress(), true, tuning);
    }

    @Test
    @NeedsRoot
    void secureNodesTalkFromLowPorts() {
        Node.Ports ports = new Node.Ports();
        try (Node a = new Node(
                        "127.0.8.1@tcp",
                        ports,
                        new RealHost(),
                        builder -> builder.sourcePorts(SourcePorts.RESERVED).accept(AcceptPolicy.SECURE));
                Node b = new Node(
                        "127.0.8.2@tcp",
                        ports,
                        new RealHost(),
                        builder -> builder.sourcePorts(SourcePorts.RESERVED).accept(AcceptPolicy.SECURE))) {
            a.put(b, 3000, 1);
            Await.until("arrival", () -> b.stack.arrivals.size() == 1);
            assertThat(b.stack.arrivals.getFirst().from().nid()).isEqualTo(a.nid);
            b.put(a, 3000, 1);
            Await.until("arrival", () -> a.stack.arrivals.size() == 1);
        }
    }

    @Test
    void aPortThatIsTakenIsRefusedWithAReason() {
        Node.Ports ports = new Node.Ports();
        try (Node a = new Node("127.0.8.1@tcp", ports, new RealHost(), builder -> builder)) {
            assertThatThrownBy(() ->
                            new Node("127.0.8.1@tcp7", ports, new RealHost(), builder -> builder.acceptPort(a.port())))
                    .isInstanceOfSatisfying(
                            ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRINUSE))
                    .hasMessageContaining("127.0.8.1 port " + a.port());
            assertThatThrownBy(() -> a.add(a.nid, java.util.Map.of()))
                    .isInstanceOfSatisfying(
                            ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EEXIST));
        }
    }

    @Test
    void withoutListenersANodeOnlyDials() {
        Node.Ports ports = new Node.Ports();
        try (Node a = new Node("127.0.8.1@tcp", ports, new RealHost(), builder -> builder.listen(false));
                Node b = new Node("127.0.8.2@tcp", ports, new RealHost(), builder -> builder)) {
            assertThat(a.port()).isZero();
            a.put(b, 10, 1);
            Await.until("arrival", () -> b.stack.arrivals.size() == 1);
            // The way back goes over the connection that is there.
            b.put(a, 10, 1);
            Await.until("arrival back", () -> a.stack.arrivals.size() == 1);
        }
    }
}
