package org.railyard.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.control.ConfigOperation;
import org.railyard.control.DlcException;
import org.railyard.control.EventsOperation;
import org.railyard.control.GlobalOperation;
import org.railyard.control.LnetOperation;
import org.railyard.control.NetOperation;
import org.railyard.control.PeerOperation;
import org.railyard.control.RouteOperation;
import org.railyard.control.RoutingOperation;
import org.railyard.control.TargetOperation;
import org.railyard.lnet.api.PeerState;
import org.railyard.node.control.RemoteDlc;
import org.railyard.testkit.Requirement;

/** A daemon from its start to its end, and what is left of it for the next. */
final class DaemonTest {
    private static final String CONFIG = """
        net:
          - net type: tcp
            local NI(s):
              - nid: 127.0.0.%d@tcp
        global:
          retry_count: 3
        """;

    /** Of LNet, sockets and the self-test, numbers but for two (spec 12 §7.5). */
    private static final List<String> MODULE_PARAMETERS =
            List.of(("rnet_htable_size local_nid_dist_zero portal_rotor lnet_numa_range lnet_health_sensitivity"
                + " lnet_recovery_interval lnet_recovery_limit lnet_max_recovery_ping_interval lnet_interfaces_max"
                + " lnet_peer_discovery_disabled lnet_drop_asym_route lnet_transaction_timeout lnet_response_tracking"
                + " lock_prim_nid enable_sysctl_setup tiny_router_buffers small_router_buffers large_router_buffers"
                + " peer_buffer_credits auto_down check_routers_before_use avoid_asym_router_failure"
                + " alive_router_check_interval router_ping_timeout dead_router_check_interval"
                + " live_router_check_interval router_sensitivity_percentage accept accept_backlog accept_timeout"
                + " use_tcp_bonding cpu_npartitions cpu_pattern sock_timeout credits peer_credits peer_timeout"
                + " conns_per_peer tos nconnds nconnds_max min_reconnectms max_reconnectms typed_conns min_bulk"
                + " tx_buffer_size rx_buffer_size nagle eager_ack round_robin nscheds enable_irq_affinity"
                + " inject_csum_error zc_recv zc_recv_min_nfrags keepalive keepalive_idle keepalive_count"
                + " keepalive_intvl enable_csum nonblk_zcack zc_min_payload skip_mr_route_setup session_timeout"
                + " rpc_timeout brw_srv_workitems ping_srv_workitems brw_inject_errors")
                    .split(" ", -1));

    /** Among the state bits of a peer: it is a gateway, and was checked (spec 11 §1.1). */
    private static final int ROUTER_DISCOVERED = 1 << 17;

    @TempDir
    private Path dir = Path.of("");

    private final Map<String, String> parameters = new LinkedHashMap<>(Map.of("accept", "all"));

    private boolean fresh;

    private Daemon start(String name, @Nullable String config, @Nullable String metrics) throws IOException {
        Path file = dir.resolve(name + ".yaml");
        if (config != null) {
            Files.writeString(file, config);
        }
        return new Daemon(new DaemonOptions(
                file,
                false,
                dir.resolve(name + ".sock"),
                null,
                dir.resolve(name),
                fresh,
                metrics,
                true,
                false,
                parameters));
    }

    private RemoteDlc client(String name) {
        return new RemoteDlc(dir.resolve(name + ".sock"));
    }

    private void choosePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            String port = Integer.toString(free.getLocalPort());
            parameters.put("accept_port", port);
            parameters.put("accept_port_bulk", port);
        }
    }

    /** Follows the events of a daemon in a thread of its own, until the daemon ends. */
    private static final class Follower {
        private final BlockingQueue<Map<String, Object>> told = new LinkedBlockingQueue<>();
        private final CompletableFuture<Throwable> ended = new CompletableFuture<>();
        private final Thread thread;

        Follower(RemoteDlc dlc, EventsOperation.Show which) {
            thread = Thread.ofVirtual().start(() -> {
                try {
                    dlc.follow(which, told::add);
                } catch (UncheckedIOException | DlcException | InterruptedException e) {
                    ended.complete(e);
                }
            });
        }

        Map<String, Object> next() throws InterruptedException {
            Map<String, Object> next = told.poll(30, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("nothing is told; " + ended);
            }
            return next;
        }

        Throwable end() {
            return ended.orTimeout(30, TimeUnit.SECONDS).join();
        }
    }

    private static EventsOperation.Show kinds(String... kinds) {
        return new EventsOperation.Show(List.of(kinds), null, 0, null);
    }

    @Test
    void manyFollowTheEventsUntilTheyOrTheDaemonEnd() throws IOException, InterruptedException {
        choosePort();
        List<Follower> followers = new ArrayList<>();
        try (Daemon one = start("one", CONFIG.formatted(47), null)) {
            assertThat(one.socket()).exists();
            for (int i = 0; i < 16; i++) {
                Follower follower = new Follower(client("one"), kinds("ni-health"));
                assertThat(follower.next()).containsOnlyKeys("last");
                followers.add(follower);
            }
            assertThat(new Follower(client("one"), kinds()).end())
                    .isInstanceOf(DlcException.class)
                    .hasMessageContaining("16 clients follow the events already");

            client("one").execute(new NetOperation.Set("tcp", null, false, 600, null, null, null));
            for (Follower each : followers) {
                assertThat(each.next())
                        .containsEntry("kind", "ni-health")
                        .containsEntry("text", "NI 127.0.0.47@tcp: health 1000 → 600");
            }
            assertThat(new Follower(client("one"), kinds("no-such")).end()).isNotNull();

            followers.getFirst().thread.interrupt();
            assertThat(followers.getFirst().end()).isInstanceOf(InterruptedException.class);
            // Its place is free as soon as the daemon has noticed.
            Follower late = awaitPlace();
            assertThat(late.next()).containsOnlyKeys("last");
            followers.add(late);
        }
        followers.removeFirst();
        assertThat(followers)
                .allSatisfy(each -> assertThat(each.end())
                        .isInstanceOf(UncheckedIOException.class)
                        .hasMessageContaining("has ended"));
    }

    /** Asks again each time that it is refused; one that is slow to be told is not given up, since it has the place. */
    private Follower awaitPlace() throws InterruptedException {
        Follower follower = new Follower(client("one"), kinds());
        while (true) {
            Map<String, Object> first = follower.told.poll(10, TimeUnit.MILLISECONDS);
            if (first != null) {
                follower.told.add(first);
                return follower;
            }
            if (follower.ended.isDone()) {
                follower = new Follower(client("one"), kinds());
            }
        }
    }

    @Test
    void whoDoesNotReadHoldsUpNobody() throws IOException, InterruptedException {
        choosePort();
        try (Daemon one = start("one", CONFIG.formatted(48), null);
                SocketChannel silent = SocketChannel.open(UnixDomainSocketAddress.of(one.socket()))) {
            String request = "GET /v1/events/follow?last=0 HTTP/1.1\r\nHost: lnetd\r\n\r\n";
            silent.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            Follower reader = new Follower(client("one"), kinds("peer-added"));
            assertThat(reader.next()).containsOnlyKeys("last");
            for (int i = 0; i < 200; i++) {
                String nid = "10.9." + i / 100 + "." + (1 + i % 100) + "@tcp";
                client("one").execute(new PeerOperation.Add(nid, null, false, false));
            }
            for (int i = 0; i < 200; i++) {
                assertThat(reader.next()).containsEntry("kind", "peer-added");
            }
        }
    }

    @Test
    void twoDaemonsThatTalk() throws IOException {
        choosePort();
        try (Daemon one = start("one", CONFIG.formatted(41), "0");
                Daemon other = start("other", CONFIG.formatted(42), null)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(one.socket())))
                    .isEqualTo("rw-------");
            assertThat(other.metricsPort()).isZero();
            Map<String, Object> found =
                    client("one").execute(new TargetOperation.Discover(List.of("127.0.0.42@tcp"), false));
            assertThat(found.toString())
                    .isEqualTo("{discover=[{primary nid=127.0.0.42@tcp, Multi-Rail=true,"
                            + " peer_ni=[{nid=127.0.0.42@tcp}]}]}");
            assertThat(client("other").execute(new PeerOperation.List()).toString())
                    .isEqualTo("{peer list=[{nid=127.0.0.41@tcp}]}");
            assertThat(get(one, "/metrics"))
                    .contains(
                            "lnet_configured 1",
                            "lnet_ni_health{interface=\"lo\",net=\"tcp\",nid=\"127.0.0.41@tcp\"} 1000");
            assertThat(get(one, "/probe?target=127.0.0.42@tcp")).contains("probe_success 1");
            assertThat(get(one, "/probe?target=127.0.0.43@tcp")).contains("probe_success 0");
            assertThatThrownBy(() -> get(one, "/probe?target=nonsense")).hasMessageContaining("code: 400");
        }
    }

    private static String get(Daemon daemon, String path) throws IOException {
        try (InputStream in = URI.create("http://127.0.0.1:" + daemon.metricsPort() + path)
                .toURL()
                .openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    @Requirement("cfg-170")
    void whatWasChangedCountsAfterARestart() throws IOException {
        choosePort();
        Map<String, Object> before;
        try (Daemon first = start("one", CONFIG.formatted(44), null)) {
            assertThat(first.socket()).exists();
            client("one").execute(new GlobalOperation.Set("discovery", "0"));
            client("one")
                    .execute(new NetOperation.Add(
                            null,
                            List.of(),
                            List.of("127.0.0.45@tcp1"),
                            null,
                            null,
                            16,
                            null,
                            null,
                            null,
                            null,
                            null,
                            false));
            before = client("one").execute(new ConfigOperation.Export(true));
        }
        try (Daemon second = start("one", null, null)) {
            assertThat(second.socket()).exists();
            assertThat(client("one").execute(new ConfigOperation.Export(true))).isEqualTo(before);
            client("one").execute(new LnetOperation.Unconfigure());
        }
        try (Daemon third = start("one", null, null)) {
            assertThat(third.socket()).exists();
            assertThatThrownBy(() -> client("one").execute(new NetOperation.Show(null, 0)))
                    .isInstanceOfSatisfying(
                            DlcException.class,
                            e -> assertThat(e.failure().errno()).isEqualTo(Errno.ENETDOWN.status()));
        }
    }

    /** What is as by default is kept where the start would make it something else. */
    @Test
    void aSettingThatIsMadeTheDefaultAgainIsThatAfterARestart() throws IOException {
        choosePort();
        parameters.put("resend_interval", "7");
        parameters.put("tiny_router_buffers", "4096");
        Map<String, Object> before;
        try (Daemon first = start("one", CONFIG.formatted(55), null)) {
            assertThat(first.socket()).exists();
            client("one").execute(new GlobalOperation.Set("resend_interval", "0"));
            client("one").execute(new GlobalOperation.Set("tiny_buffers", "0"));
            before = client("one").execute(new ConfigOperation.Export(true));
        }
        try (Daemon second = start("one", null, null)) {
            assertThat(second.socket()).exists();
            assertThat(client("one").execute(new GlobalOperation.Show(true)).toString())
                    .contains("resend_interval=0,");
            assertThat(client("one").execute(new ConfigOperation.Export(true))).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @CsvSource({"50, 0, 'timeout=0,'", "0, 0, ''", "0, 50, 'timeout=50,'", "0, 20, 'timeout=20,'"})
    void aLimitOfATransportCountsAfterARestartAlsoIfItIsLNets(String started, int set, String kept) throws IOException {
        choosePort();
        parameters.put("sock_timeout", started);
        Map<String, Object> before;
        try (Daemon first = start("one", CONFIG.formatted(54), null)) {
            assertThat(first.socket()).exists();
            client("one").execute(new NetOperation.Set("tcp", null, false, null, null, set, null));
            before = client("one").execute(new ConfigOperation.Export(true));
            assertThat(before.get("net"))
                    .asString()
                    .matches(".*lnd tunables=\\{conns_per_peer=[0-9]+, " + kept + " ?tos=.*");
        }
        try (Daemon second = start("one", null, null)) {
            assertThat(second.socket()).exists();
            assertThat(client("one").execute(new ConfigOperation.Export(true))).isEqualTo(before);
        }
    }

    @Test
    void theStartItselfIsNoChangeToUndo() throws IOException {
        choosePort();
        for (String config : Arrays.asList(CONFIG.formatted(49), null)) {
            try (Daemon daemon = start("one", config, null)) {
                assertThat(daemon.socket()).exists();
                assertThat(client("one").execute(new LnetOperation.Status())).containsEntry("changes to undo", 0L);
                assertNothingToUndo();
                client("one").execute(new GlobalOperation.Set("retry_count", "4"));
                client("one").execute(new ConfigOperation.Undo());
                assertNothingToUndo();
                assertThat(client("one")
                                .execute(new ConfigOperation.Export(true))
                                .toString())
                        .contains("127.0.0.49@tcp", "retry_count=3");
            }
        }
        parameters.put("config_on_load", "1");
        // What it takes by itself is not on every machine: the first interface but lo.
        parameters.put("networks", "tcp(lo)");
        fresh = true;
        Files.delete(dir.resolve("one.yaml"));
        try (Daemon daemon = start("one", null, null)) {
            assertThat(daemon.socket()).exists();
            assertNothingToUndo();
            assertThat(client("one").execute(new LnetOperation.Status())).containsEntry("lnet", "configured");
        }
    }

    private void assertNothingToUndo() {
        assertThatThrownBy(() -> client("one").execute(new ConfigOperation.Undo()))
                .isInstanceOfSatisfying(
                        DlcException.class, e -> assertThat(e.failure().errno()).isEqualTo(Errno.ENOENT.status()));
    }

    @Test
    void settingsAmongTheStartUpParameters() throws IOException {
        parameters.put("lnet_retry_count", "4");
        parameters.put("lnet_peer_discovery_disabled", "1");
        parameters.put("forwarding", "enabled");
        parameters.put("multi_rail", "0");
        try (Daemon daemon = start("one", null, null)) {
            assertThat(daemon.socket()).exists();
            assertThat(client("one").execute(new LnetOperation.Status())).containsEntry("multi-rail", false);
            client("one").execute(new LnetOperation.Configure(false, false));
            assertThat(client("one").execute(new GlobalOperation.Show(false)).toString())
                    .contains("retry_count=4", "discovery=0");
            assertThat(client("one").execute(new RoutingOperation.Show())).isNotEmpty();
        }
        parameters.put("lnet_retry_count", "many");
        assertThatThrownBy(() -> start("one", null, null))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("module parameter lnet_retry_count is 'many'; expected 0…");
    }

    @Test
    void aStartWaitsForTheFirstChecksOfRoutersButNotForEver() throws IOException {
        choosePort();
        parameters.put("check_routers_before_use", "1");
        parameters.put("router_ping_timeout", "1");
        int port = Integer.parseInt(parameters.getOrDefault("accept_port", ""));
        String route = "route: [{net: tcp9, gateway: 127.0.0.47@tcp}]\n";
        // A router that can be connected to and says nothing.
        try (ServerSocket router = new ServerSocket(port, 8, InetAddress.ofLiteral("127.0.0.47"));
                Daemon daemon = start("one", CONFIG.formatted(46) + route, null)) {
            assertThat(router.isBound()).isTrue();
            assertThat(daemon.socket()).exists();
            assertThat(stateOf("127.0.0.47@tcp") & ROUTER_DISCOVERED)
                    .as("its check is over")
                    .isNotZero();
        }
    }

    private int stateOf(String peer) {
        Map<String, Object> peers = client("one").execute(new PeerOperation.Show(peer, 3, 0));
        Matcher state = Pattern.compile("peer state=(\\d+)").matcher(peers.toString());
        assertThat(state.find()).as(peers.toString()).isTrue();
        return Integer.parseInt(state.group(1));
    }

    @Test
    void whatWasOnlyLearnedOfPeersIsNotConfiguredAfterARestart() throws IOException {
        choosePort();
        try (Daemon first = start("one", CONFIG.formatted(51), null)) {
            assertThat(first.socket()).exists();
            client("one").execute(new RouteOperation.Add("tcp9", "127.0.0.52@tcp", null, null));
            client("one").execute(new PeerOperation.Add("127.0.0.53@tcp", null, false, false));
            assertThat(client("one").execute(new ConfigOperation.Export(true)).toString())
                    .as("a backup has all of them")
                    .contains("primary nid=127.0.0.52@tcp", "primary nid=127.0.0.53@tcp");
        }
        try (Daemon second = start("one", null, null)) {
            assertThat(second.socket()).exists();
            assertThat(stateOf("127.0.0.52@tcp") & PeerState.CONFIGURED).isZero();
            assertThat(stateOf("127.0.0.53@tcp") & PeerState.CONFIGURED).isNotZero();
        }
    }

    @Test
    void aBadFileIsToldAndNothingRuns() {
        assertThatThrownBy(() -> start("one", "nett: []\n", null))
                .isInstanceOf(DlcException.class)
                .hasMessageContaining("invalid key 'nett'");
        assertThat(dir.resolve("one.sock")).doesNotExist();
    }

    @Test
    void oneDaemonToASocket() throws IOException {
        try (Daemon first = start("one", null, null)) {
            assertThat(first.socket()).exists();
            assertThatThrownBy(() -> start("one", null, null))
                    .isInstanceOf(ErrnoException.class)
                    .hasMessageContaining("another lnetd listens");
            assertThat(client("one").execute(new LnetOperation.Status())).containsEntry("lnet", "not configured");
        }
        assertThatThrownBy(() -> client("one").execute(new LnetOperation.Status()))
                .isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void aSocketThatWasLeftBehindIsNoHindrance() throws IOException {
        try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            killed.bind(UnixDomainSocketAddress.of(dir.resolve("one.sock")));
        }
        assertThat(dir.resolve("one.sock")).exists();
        try (Daemon daemon = start("one", null, null)) {
            assertThat(client("one").execute(new LnetOperation.Status())).isNotEmpty();
            assertThat(daemon.socket()).exists();
        }
    }

    @Test
    void aChangeThatCanNotBeKeptFailsAndIsTakenBack() throws IOException {
        Path state = dir.resolve("one");
        try (Daemon daemon = start("one", null, null)) {
            assertThat(daemon.socket()).exists();
            client("one").execute(new LnetOperation.Configure(false, false));
            Path kept = state.resolve("lnetd.yaml");
            String before = Files.readString(kept);
            Map<String, Object> configured = client("one").execute(new ConfigOperation.Export(true));
            fillDisk(state);
            assertThatThrownBy(() -> client("one").execute(new GlobalOperation.Set("retry_count", "4")))
                    .isInstanceOfSatisfying(
                            DlcException.class,
                            e -> assertThat(e.failure().errno()).isEqualTo(Errno.ENOSPC.status()))
                    .hasMessageContainingAll(kept.toString(), "No space left on device", "the change was taken back");
            assertThat(client("one").execute(new ConfigOperation.Export(true))).isEqualTo(configured);
            assertThat(kept).hasContent(before);
            fillDisk(state);
            assertThatThrownBy(() -> client("one").execute(new LnetOperation.Unconfigure()))
                    .hasMessageContaining("this was done all the same, and after a restart the configuration before");
            assertThat(client("one").execute(new LnetOperation.Status())).containsEntry("lnet", "not configured");
            assertThat(kept).hasContent(before);
        }
    }

    @Test
    void aChangeThatCanNotBeKeptStillWaitsToBeConfirmed() throws IOException {
        Path state = dir.resolve("one");
        try (Daemon daemon = start("one", null, null)) {
            assertThat(daemon.socket()).exists();
            client("one").execute(new LnetOperation.Configure(false, false));
            client("one").execute(new ConfigOperation.Import("global: {retry_count: 4}", "f", null, false, 600));
            fillDisk(state);
            assertThatThrownBy(() -> client("one").execute(new ConfigOperation.Confirm()))
                    .hasMessageContaining("still waits to be confirmed");
            client("one").execute(new ConfigOperation.Confirm());
            assertThat(state.resolve("lnetd.yaml")).content().contains("retry_count: 4");
        }
    }

    /** The next attempt to write a state ends as on a full disk. */
    private static void fillDisk(Path state) throws IOException {
        Files.createSymbolicLink(state.resolve("lnetd.yaml.new"), Path.of("/dev/full"));
    }

    private void keep() throws IOException {
        try (Daemon daemon = start("one", null, null)) {
            assertThat(daemon.socket()).exists();
            client("one").execute(new LnetOperation.Configure(false, false));
            client("one").execute(new GlobalOperation.Set("retry_count", "4"));
            client("one").execute(new GlobalOperation.Set("retry_count", "5"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"empty", "cut off", "cut off in the first line", "random", "changed", "not what lnetd knows"})
    void aDamagedStateStopsTheStartAndBothWaysOutWork(String how) throws IOException {
        keep();
        Path kept = dir.resolve("one/lnetd.yaml");
        byte[] bytes = Files.readAllBytes(kept);
        byte[] damaged = switch (how) {
            case "empty" -> new byte[0];
            case "cut off" -> Arrays.copyOf(bytes, bytes.length / 2);
            case "cut off in the first line" -> Arrays.copyOf(bytes, "# lnetd: configured".length());
            case "random" -> randomBytes(bytes.length);
            case "changed" ->
                new String(bytes, StandardCharsets.UTF_8)
                        .replace("retry_count: 5", "retry_count: 0")
                        .getBytes(StandardCharsets.UTF_8);
            default -> "# lnetd: configured\nnett: []\n".getBytes(StandardCharsets.UTF_8);
        };
        Files.write(kept, damaged);
        if (how.startsWith("not")) {
            assertThatThrownBy(() -> start("one", null, null)).hasMessageContaining("lnetd.yaml:2:1");
        }
        Path previous = dir.resolve("one/lnetd.yaml.previous");
        boolean whole = how.startsWith("not");
        assertThatThrownBy(() -> start("one", null, null))
                .as("what can be read can be mended")
                .message()
                .matches(text -> text.contains("cp " + kept + " FILE, change FILE") == whole);
        assertThatThrownBy(() -> start("one", null, null))
                .isInstanceOf(DlcException.class)
                .hasMessageContainingAll(kept.toString(), "cp " + previous + " " + kept, "start lnetd with --fresh");
        assertThat(dir.resolve("one.sock")).doesNotExist();
        assertThat(kept).hasBinaryContent(damaged);
        Files.copy(previous, kept, StandardCopyOption.REPLACE_EXISTING);
        try (Daemon daemon = start("one", null, null)) {
            assertThat(daemon.socket()).exists();
            assertThat(client("one").execute(new GlobalOperation.Show(false)).toString())
                    .contains("retry_count=4");
        }
        Files.write(kept, damaged);
        fresh = true;
        try (Daemon daemon = start("one", null, null)) {
            assertThat(daemon.socket()).exists();
            assertThat(client("one").execute(new LnetOperation.Status())).containsEntry("lnet", "not configured");
        }
        assertThat(kept).doesNotExist();
        assertThat(previous)
                .as("a damaged file does not take its place")
                .content()
                .contains(whole ? "nett" : "retry_count: 4");
    }

    private static byte[] randomBytes(int length) {
        byte[] random = new byte[length];
        new SplittableRandom(7).nextBytes(random);
        return random;
    }

    @Test
    void aStateOfAVersionBeforeIsRead() throws IOException {
        Path kept = Files.createDirectories(dir.resolve("one")).resolve("lnetd.yaml");
        Files.writeString(kept, "# lnetd: configured\nglobal: {retry_count: 5}\n");
        try (Daemon daemon = start("one", null, null)) {
            assertThat(daemon.socket()).exists();
            assertThat(client("one").execute(new GlobalOperation.Show(false)).toString())
                    .contains("retry_count=5");
        }
    }

    @Test
    void configOnLoadTakesTheInterfaceOfTheMachine() throws IOException {
        choosePort();
        parameters.put("config_on_load", "1");
        try (Daemon daemon = start("one", null, null)) {
            assertThat(daemon.socket()).exists();
            assertThat(client("one").execute(new LnetOperation.Status())).containsEntry("lnet", "configured");
        } catch (DlcException e) {
            // Not every machine has one but lo.
            assertThat(NetworkInterface.networkInterfaces().filter(DaemonTest::isUsable))
                    .isEmpty();
            assertThat(e).hasMessageContaining("no network interface that is up");
        }
    }

    private static boolean isUsable(NetworkInterface device) {
        try {
            return device.isUp()
                    && !device.isLoopback()
                    && device.inetAddresses().anyMatch(Inet4Address.class::isInstance);
        } catch (SocketException e) {
            // It is gone.
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({"tiny, 600", "small, 5000", "large, 300"})
    void routerBuffersByTheNamesOfModuleParameters(String size, String number) throws IOException {
        parameters.put(size + "_router_buffers", number);
        parameters.put("forwarding", "enabled");
        parameters.put("config_on_load", "0");
        try (Daemon daemon = start("one", null, null)) {
            assertThat(daemon.socket()).exists();
            client("one").execute(new LnetOperation.Configure(false, false));
            assertThat(client("one").execute(new RoutingOperation.Show()).toString())
                    .contains(size + "=" + number);
        }
    }

    @Test
    void allModuleParametersAreKnownAndAMisspeltOneTellsTheNearOnes() throws IOException {
        for (String each : MODULE_PARAMETERS) {
            parameters.put(each, each.equals("accept") ? "all" : each.equals("cpu_pattern") ? "N" : "1");
        }
        parameters.put("lnet_transaction_timeout", "150");
        parameters.put("zc_min_payload", "16384");
        parameters.put("lnet_interfaces_max", "16");
        try (Daemon daemon = start("one", null, null)) {
            assertThat(daemon.socket()).exists();
        }
        parameters.clear();
        parameters.put("tiny_router_bufers", "1");
        assertThatThrownBy(() -> start("one", null, null))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("'tiny_router_bufers'; did you mean tiny_router_buffers");
        parameters.clear();
        parameters.put("cpu_paterns", "N");
        assertThatThrownBy(() -> start("one", null, null)).hasMessageContaining("did you mean cpu_pattern?");
        parameters.clear();
        parameters.put("zzzzzzzz", "N");
        assertThatThrownBy(() -> start("one", null, null))
                .hasMessageContainingAll("expected one of accept,", "small_router_buffers", "o2iblnd.", "rpc_timeout");
    }
}
