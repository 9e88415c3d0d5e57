package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.conformance.TestMessage;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.connection.CookieQueue;
import org.railyard.socklnd.connection.TxQueue;
import org.railyard.socklnd.handshake.OtherProtocols;
import org.railyard.socklnd.io.BufferPool;
import org.railyard.socklnd.io.SocketErrors;
import org.railyard.socklnd.link.DeviceLinkState;
import org.railyard.socklnd.link.InterfaceTable;
import org.railyard.socklnd.link.LinkCounts;
import org.railyard.socklnd.link.SysfsLinkMonitor;
import org.railyard.socklnd.ni.Counters;
import org.railyard.socklnd.ni.SockContext;
import org.railyard.socklnd.peer.ZcAcks;
import org.railyard.socklnd.tune.AcceptPolicy;
import org.railyard.socklnd.tune.NiTunables;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.socklnd.tune.SockTunable;
import org.railyard.socklnd.wire.ProtocolVersion;
import org.railyard.socklnd.wire.ZeroCopyAck;

class SmallPartsTest {
    @Test
    void aRandomPortForBulkNeedsOneForControl() {
        SockLndConfig.Builder builder = SockLndConfig.builder().set(SockTunable.ACCEPT_PORT_BULK, 0);
        assertThatThrownBy(builder::build)
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("accept_port_bulk is 0 and accept_port 988");
        assertThat(builder.acceptPort(0).build().get(SockTunable.ACCEPT_PORT_BULK))
                .isZero();
    }

    @Test
    void isFoundAsAService() {
        assertThat(SockLndProvider.class.getModule().getDescriptor().provides())
                .anyMatch(provides -> provides.service().equals(LndProvider.class.getName())
                        && provides.providers().contains(SockLndProvider.class.getName()));
        assertThat(new SockLndProvider().type()).isEqualTo(NetType.TCP);
    }

    @ParameterizedTest
    @CsvSource({
        "0,1",
        "-1,1",
        "100,1",
        "1000,1",
        "2500,1",
        "10000,2",
        "25000,3",
        "50000,3",
        "100000,4",
        "200000,4",
        "400000,5"
    })
    void connectionsByLinkSpeed(int megabits, int connections) {
        assertThat(InterfaceTable.connectionsFor(megabits)).isEqualTo(connections);
    }

    @Test
    void connectionsByTheSpeedOfADevice(@TempDir Path classNet) throws IOException {
        InterfaceTable table = new InterfaceTable(classNet);
        Path device = Files.createDirectory(classNet.resolve("eth9"));
        assertThat(table.connectionsFor("eth9")).isEqualTo(1);
        Files.writeString(device.resolve("speed"), "100000\n");
        assertThat(table.connectionsFor("eth9")).isEqualTo(4);
        assertThat(table.connectionsFor("eth9:1")).isEqualTo(4);
        Files.writeString(device.resolve("speed"), "-1\n");
        assertThat(table.connectionsFor("eth9")).isEqualTo(1);
        Files.writeString(device.resolve("speed"), "fast\n");
        assertThat(table.connectionsFor("eth9")).isEqualTo(1);
    }

    @Test
    void resolvesByNidAndByName() {
        InterfaceTable table = new InterfaceTable(SockLndConfig.CLASS_NET);
        assertThat(table.resolve(NiRequest.ofNid(Nid.parse("127.9.8.7@tcp3"))).interfaceName())
                .isEqualTo("lo");
        assertThat(table.resolve(NiRequest.ofInterface(Net.TCP, "lo")).nid()).isEqualTo(Nid.parse("127.0.0.1@tcp"));
        assertThat(table.resolve(NiRequest.ofNid(Nid.parse("::1@tcp"))).interfaceName())
                .isEqualTo("lo");
        assertThatThrownBy(() -> table.resolve(NiRequest.ofInterface(Net.TCP, "nosuch0")))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENETDOWN))
                .hasMessageContaining("nosuch0");
        assertThatThrownBy(() -> table.resolve(NiRequest.ofNid(Nid.parse("192.0.2.77@tcp"))))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENETDOWN));
    }

    @Test
    void tunablesOfAnNiAreChecked() {
        NiTunables.check(Map.of("conns_per_peer", 4, "timeout", -1, "tos", 255));
        assertThatThrownBy(() -> NiTunables.check(Map.of("conns_per_peer", 128)))
                .hasMessageContaining("conns_per_peer is 128");
        assertThatThrownBy(() -> NiTunables.check(Map.of("map_on_demand", 1))).hasMessageContaining("map_on_demand");
    }

    @Test
    void configurationByNames() {
        SockLndConfig config = SockLndConfig.builder()
                .set("accept", "all")
                .set("sock_timeout", "0x10")
                .set("nconnds", "4")
                .set("peer_credits", "8")
                .build();
        assertThat(config.accept()).isEqualTo(AcceptPolicy.ALL);
        assertThat(config.get(SockTunable.SOCK_TIMEOUT)).isEqualTo(16);
        assertThat(config.get(SockTunable.ACCEPT_PORT)).isEqualTo(988);
        SockLndConfig.Builder builder = SockLndConfig.builder();
        assertThatThrownBy(() -> builder.set("no_such", "1")).hasMessageContaining("no_such");
        assertThatThrownBy(() -> builder.set("tos", "256"))
                .hasMessageContaining("tos is '256'; expected -1…255, the default is -1");
        assertThatThrownBy(() -> builder.set("tos", "many")).hasMessageContaining("'many'");
        assertThatThrownBy(() -> builder.set("accept", "some")).hasMessageContaining("secure, all or none");
        assertThatThrownBy(
                        () -> builder.set(SockTunable.MIN_RECONNECT_MS, 70_000).build())
                .hasMessageContaining("above max_reconnectms");
    }

    @Test
    void errorsOfSockets() {
        assertThat(SocketErrors.of(new ConnectException("Connection refused"))).isEqualTo(Errno.ECONNREFUSED);
        assertThat(SocketErrors.of(new NoRouteToHostException("No route to host")))
                .isEqualTo(Errno.EHOSTUNREACH);
        assertThat(SocketErrors.of(new SocketException("Network is unreachable")))
                .isEqualTo(Errno.ENETUNREACH);
        assertThat(SocketErrors.of(new IOException("Broken pipe"))).isEqualTo(Errno.ECONNRESET);
        assertThat(SocketErrors.of(new ConnectException("Connection timed out")))
                .isEqualTo(Errno.ETIMEDOUT);
        assertThat(SocketErrors.of(new SocketException("Permission denied"))).isEqualTo(Errno.EPERM);
        assertThat(SocketErrors.of(new IOException("Cannot assign requested address")))
                .isEqualTo(Errno.EADDRNOTAVAIL);
        assertThat(SocketErrors.of(new IOException("no text known"))).isEqualTo(Errno.EIO);
        assertThat(SocketErrors.healthOfConnect(Errno.ETIMEDOUT)).isEqualTo(HealthStatus.NETWORK_TIMEOUT);
        assertThat(SocketErrors.healthOfConnect(Errno.ECONNREFUSED)).isEqualTo(HealthStatus.REMOTE_DROPPED);
        assertThat(SocketErrors.healthOfConnect(SocketErrors.of(new SocketException("Invalid argument"))))
                .as("no way from this address to that one is no fault of the NI")
                .isEqualTo(HealthStatus.REMOTE_DROPPED);
        assertThat(SocketErrors.healthOfConnect(Errno.EPROTO)).isEqualTo(HealthStatus.REMOTE_ERROR);
        assertThat(SocketErrors.of(new IOException("Too many open files"))).isEqualTo(Errno.EMFILE);
        assertThat(SocketErrors.of(new IOException("Too many open files in system")))
                .isEqualTo(Errno.ENFILE);
        assertThat(SocketErrors.healthOfConnect(Errno.EALREADY)).isEqualTo(HealthStatus.REMOTE_ERROR);
        assertThat(SocketErrors.healthOfConnect(Errno.EADDRINUSE)).isEqualTo(HealthStatus.LOCAL_ERROR);
        assertThat(SocketErrors.healthOfWrite(Errno.ETIMEDOUT)).isEqualTo(HealthStatus.REMOTE_TIMEOUT);
        assertThat(SocketErrors.healthOfWrite(Errno.ECONNRESET)).isEqualTo(HealthStatus.REMOTE_DROPPED);
        assertThat(SocketErrors.healthOfBreak(Errno.ETIMEDOUT)).isEqualTo(HealthStatus.NETWORK_TIMEOUT);
        assertThat(SocketErrors.healthOfBreak(Errno.ENETDOWN)).isEqualTo(HealthStatus.LOCAL_NO_ROUTE);
        assertThat(SocketErrors.healthOfBreak(Errno.EIO)).isEqualTo(HealthStatus.LOCAL_ERROR);
        assertThat(SocketErrors.isOurs(Errno.ENETDOWN, SocketErrors.healthOfConnect(Errno.ENETDOWN)))
                .isTrue();
        assertThat(SocketErrors.isOurs(Errno.EALREADY, SocketErrors.healthOfConnect(Errno.EALREADY)))
                .isFalse();
        assertThat(SocketErrors.healthOfUnsent(HealthStatus.NETWORK_TIMEOUT)).isEqualTo(HealthStatus.LOCAL_TIMEOUT);
        assertThat(SocketErrors.healthOfUnsent(HealthStatus.REMOTE_ERROR)).isEqualTo(HealthStatus.REMOTE_ERROR);
        assertThat(SocketErrors.healthOfUnacknowledged(HealthStatus.NETWORK_TIMEOUT))
                .isEqualTo(HealthStatus.REMOTE_TIMEOUT);
        assertThat(SocketErrors.healthOfUnacknowledged(HealthStatus.REMOTE_DROPPED))
                .isEqualTo(HealthStatus.REMOTE_ERROR);
    }

    /** The JDK's texts of what Linux makes of ICMP messages and of routes that prohibit. */
    @ParameterizedTest
    @CsvSource({
        "No route to host, EHOSTUNREACH",
        "Host is down, EHOSTDOWN",
        "Machine is not on the network, EHOSTUNREACH",
        "Network is unreachable, ENETUNREACH",
        "Connection refused, ECONNREFUSED",
        "Protocol not available, EHOSTUNREACH",
        "Permission denied, EPERM"
    })
    void whatTheWayToOnePeerReportsIsNoFailureOfTheNi(String text, Errno expected) {
        Errno errno = SocketErrors.of(new SocketException(text));
        assertThat(errno).isEqualTo(expected);
        assertThat(SocketErrors.healthOfConnect(errno)).isEqualTo(HealthStatus.REMOTE_DROPPED);
        assertThat(SocketErrors.healthOfBreak(errno)).isEqualTo(HealthStatus.REMOTE_DROPPED);
        assertThat(SocketErrors.isOurs(errno, SocketErrors.healthOfConnect(errno)))
                .isFalse();
        assertThat(SocketErrors.isOurs(errno, SocketErrors.healthOfBreak(errno)))
                .isFalse();
    }

    @Test
    void otherProtocolsAreRecognised() {
        assertThat(OtherProtocols.nameOf(bytes("HTTP/1.1 400 Bad Request"))).isEqualTo("HTTP ('HTTP')");
        assertThat(OtherProtocols.nameOf(bytes("GET / HTTP/1.1"))).isEqualTo("HTTP ('GET')");
        assertThat(OtherProtocols.nameOf(bytes("\u0016\u0003\u0001\u0000"))).isEqualTo("TLS (record 0x16 0x03)");
        assertThat(OtherProtocols.nameOf(bytes("\u0015\u0003\u0001\u0000"))).isEqualTo("TLS (record 0x15 0x03)");
        assertThat(OtherProtocols.nameOf(bytes("SSH-2.0-x"))).isEqualTo("SSH ('SSH-')");
        assertThat(OtherProtocols.nameOf(bytes("ciRE"))).isNull();
    }

    private static MemorySegment bytes(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void whatADeviceHasCounted(@TempDir Path classNet) throws IOException {
        SysfsLinkMonitor monitor = new SysfsLinkMonitor(classNet);
        Path statistics = Files.createDirectories(classNet.resolve("eth9").resolve("statistics"));
        assertThat(monitor.counts("eth9")).isNull();
        Files.writeString(statistics.resolve("rx_packets"), "1000\n");
        Files.writeString(statistics.resolve("tx_packets"), "200\n");
        Files.writeString(statistics.resolve("rx_errors"), "30\n");
        Files.writeString(statistics.resolve("tx_errors"), "4\n");
        assertThat(monitor.counts("eth9:1")).isEqualTo(new LinkCounts(1200, 34));
    }

    @Test
    void linkStates(@TempDir Path classNet) throws IOException {
        SysfsLinkMonitor monitor = new SysfsLinkMonitor(classNet);
        Path device = Files.createDirectory(classNet.resolve("eth9"));
        assertThat(monitor.hasLink("eth9")).as("nothing known").isTrue();
        Files.writeString(device.resolve("operstate"), "unknown\n");
        Files.writeString(device.resolve("carrier"), "1\n");
        assertThat(monitor.hasLink("eth9")).isTrue();
        Files.writeString(device.resolve("carrier"), "0\n");
        assertThat(monitor.hasLink("eth9")).isFalse();
        Files.writeString(device.resolve("carrier"), "1\n");
        Files.writeString(device.resolve("operstate"), "lowerlayerdown\n");
        assertThat(monitor.hasLink("eth9")).isFalse();
        SysfsLinkMonitor real = new SysfsLinkMonitor(SockLndConfig.CLASS_NET);
        assertThat(real.look("lo", InetAddress.ofLiteral("127.3.2.1"))).isEqualTo(DeviceLinkState.UP);
        assertThat(real.look("lo", InetAddress.ofLiteral("192.0.2.1")))
                .as("an address may come back, and the kernel keeps its connections")
                .isEqualTo(DeviceLinkState.DOWN);
        assertThat(real.look("nosuch0", InetAddress.ofLiteral("127.0.0.1"))).isEqualTo(DeviceLinkState.GONE);
        assertThat(monitor.look("eth9", InetAddress.ofLiteral("192.0.2.1")))
                .as("IPv6 addresses go with the link, and the JDK does not know a device without one")
                .isEqualTo(DeviceLinkState.DOWN);
    }

    @Test
    void acksFindTheirMessages() {
        VirtualHost host = new VirtualHost();
        SockLndConfig config = SockLndConfig.builder().zeroCopyRequests(true).build();
        ZcAcks<String> acks = new ZcAcks<>(new SockContext(config, new RecordingStack(), host.clock()));
        TestMessage[] messages = new TestMessage[6];
        for (int i = 0; i < messages.length; i++) {
            messages[i] = TestMessage.put(Nid.ANY, Nid.ANY, 16_384, i);
            assertThat(acks.wants(messages[i])).isTrue();
            assertThat(acks.add("one", messages[i])).isEqualTo(2 + i);
            if (i < 5) {
                assertThat(acks.left(2 + i)).isNull();
            }
        }
        assertThat(acks.wants(TestMessage.put(Nid.ANY, Nid.ANY, 16_383, 0))).isFalse();
        List<LndMessage> found = new ArrayList<>();
        assertThat(acks.acknowledge(ZeroCopyAck.of(0, 3, ProtocolVersion.V3), found))
                .isTrue();
        assertThat(acks.acknowledge(ZeroCopyAck.of(6, 2, ProtocolVersion.V3), found))
                .isTrue();
        assertThat(found).containsExactly(messages[1], messages[0], messages[4]);
        found.clear();
        assertThat(acks.acknowledge(ZeroCopyAck.of(3, 5, ProtocolVersion.V3), found))
                .as("3 was acknowledged before")
                .isFalse();
        assertThat(found).containsExactly(messages[2], messages[3]);
        assertThat(acks.isOverdue(host.clock().nanoTime() + 10, 10)).isFalse();
        assertThat(acks.isOverdue(host.clock().nanoTime() + 11, 10)).isTrue();
        assertThat(acks.takeLeft("one"::equals)).isEmpty();
        found.clear();
        assertThat(acks.acknowledge(ZeroCopyAck.single(7), found)).isTrue();
        assertThat(found).as("it has not left").isEmpty();
        assertThat(acks.acknowledge(ZeroCopyAck.single(7), found)).isFalse();
        assertThat(acks.left(7)).isSameAs(messages[5]);
        assertThat(acks.left(7)).isNull();
        acks.add("one", messages[0]);
        acks.left(8);
        acks.add("another", messages[1]);
        acks.left(9);
        assertThat(acks.takeLeft("one"::equals)).containsExactly(messages[0]);
        assertThat(acks.acknowledge(ZeroCopyAck.single(8), found)).isFalse();
        assertThat(acks.acknowledge(ZeroCopyAck.single(9), found)).isTrue();
    }

    @Test
    void queuesKeepOrderAndLimits() {
        TxQueue queue = new TxQueue(40);
        CookieQueue cookies = new CookieQueue();
        TestMessage[] messages = new TestMessage[40];
        for (int i = 0; i < 40; i++) {
            messages[i] = TestMessage.put(Nid.ANY, Nid.ANY, 0, i);
            if (i == 10) {
                assertThat(queue.poll()).isSameAs(messages[0]);
                assertThat(cookies.poll()).isZero();
            }
            assertThat(queue.offer(messages[i])).isTrue();
            assertThat(cookies.offer(i)).isTrue();
        }
        assertThat(queue.offer(messages[0])).isTrue();
        assertThat(queue.offer(messages[0])).as("beyond the limit").isFalse();
        for (int i = 1; i < 40; i++) {
            assertThat(queue.peek()).isSameAs(messages[i]);
            assertThat(queue.poll()).isSameAs(messages[i]);
            assertThat(cookies.poll()).isEqualTo(i);
        }
        assertThat(queue.poll()).isSameAs(messages[0]);
        assertThat(queue.poll()).isNull();
        assertThat(cookies.isEmpty()).isTrue();
        for (int i = 0; i < CookieQueue.LIMIT; i++) {
            assertThat(cookies.offer(i)).isTrue();
        }
        assertThat(cookies.offer(1)).isFalse();
    }

    @Test
    void aConnectionThatEndsBeforeItIsCountedIsNoneOfItsAddress() {
        Counters counters =
                new SockContext(SockLndConfig.defaults(), new RecordingStack(), new VirtualHost().clock()).counters();
        InetAddress remote = InetAddress.ofLiteral("192.0.2.1");
        // Another thread may close what was just taken into the set of its peer.
        counters.disconnected(remote);
        assertThat(counters.connectionsWith(remote)).isZero();
        counters.connected(remote);
        assertThat(counters.connectionsWith(remote)).isZero();
        assertThat(counters.snapshot().connectionsOpen()).isZero();
        counters.connected(remote);
        counters.connected(remote);
        counters.disconnected(remote);
        assertThat(counters.connectionsWith(remote)).isEqualTo(1);
        counters.disconnected(remote);
        assertThat(counters.connectionsWith(remote)).isZero();
    }

    @Test
    void buffersAreUsedAgainUpToALimit() {
        BufferPool pool = new BufferPool();
        ByteBuffer first = pool.take(1000);
        first.position(10).limit(20);
        ByteBuffer second = pool.take(1000);
        assertThat(second).isNotSameAs(first);
        pool.giveBack(first);
        assertThat(pool.take(999)).isNotSameAs(first);
        assertThat(pool.take(1000))
                .isSameAs(first)
                .extracting(ByteBuffer::remaining)
                .isEqualTo(1000);
        ByteBuffer large = ByteBuffer.allocateDirect(BufferPool.MAX_BYTES);
        pool.giveBack(large);
        pool.giveBack(first);
        assertThat(pool.take(1000)).as("there was no room for it").isNotSameAs(first);
        assertThat(pool.take(BufferPool.MAX_BYTES)).isSameAs(large);
    }
}
