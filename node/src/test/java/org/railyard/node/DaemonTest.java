package org.railyard.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.dlc.api.ConfigOperation;
import org.railyard.dlc.api.DlcException;
import org.railyard.dlc.api.GlobalOperation;
import org.railyard.dlc.api.LnetOperation;
import org.railyard.dlc.api.NetOperation;
import org.railyard.dlc.api.PeerOperation;
import org.railyard.dlc.api.RoutingOperation;
import org.railyard.dlc.api.TargetOperation;
import org.railyard.lnet.Errno;
import org.railyard.lnet.LNetException;
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

    /** Among the state bits of a peer: it is a gateway, and was checked (spec 11 §1.1). */
    private static final int ROUTER_DISCOVERED = 1 << 17;

    @TempDir
    private Path dir = Path.of("");

    private final Map<String, String> parameters = new LinkedHashMap<>(Map.of("accept", "all"));

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
                false,
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

    @Test
    @Requirement("cfg-010")
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
                .isInstanceOf(LNetException.class)
                .hasMessageContaining("start-up parameter lnet_retry_count is 'many'; expected 0…");
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
            Map<String, Object> peers = client("one").execute(new PeerOperation.Show("127.0.0.47@tcp", 3, 0));
            Matcher state = Pattern.compile("peer state=(\\d+)").matcher(peers.toString());
            assertThat(state.find()).as(peers.toString()).isTrue();
            assertThat(Integer.parseInt(state.group(1)) & ROUTER_DISCOVERED)
                    .as("its check is over")
                    .isNotZero();
        }
    }

    @Test
    void aBadFileIsToldAndNothingRuns() {
        assertThatThrownBy(() -> start("one", "nett: []\n", null))
                .isInstanceOf(DlcException.class)
                .hasMessageContaining("one.yaml:1:1: found the section 'nett'");
        assertThat(dir.resolve("one.sock")).doesNotExist();
    }

    @Test
    void oneDaemonToASocket() throws IOException {
        try (Daemon first = start("one", null, null)) {
            assertThat(first.socket()).exists();
            assertThatThrownBy(() -> start("one", null, null))
                    .isInstanceOf(LNetException.class)
                    .hasMessageContaining("another lnetd listens");
            assertThat(client("one").execute(new LnetOperation.Status())).containsEntry("lnet", "not configured");
        }
        assertThatThrownBy(() -> client("one").execute(new LnetOperation.Status()))
                .isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void aSocketThatWasLeftBehindIsNoHindrance() throws IOException {
        Files.writeString(dir.resolve("one.sock"), "");
        try (Daemon daemon = start("one", null, null)) {
            assertThat(client("one").execute(new LnetOperation.Status())).isNotEmpty();
            assertThat(daemon.socket()).exists();
        }
    }
}
