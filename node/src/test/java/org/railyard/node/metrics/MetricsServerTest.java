package org.railyard.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.control.TargetOperation;
import org.railyard.lnet.api.Statistic;
import org.railyard.node.Daemon;
import org.railyard.node.DaemonOptions;
import org.railyard.node.control.RemoteDlc;
import org.railyard.testkit.Requirement;

/** What a node tells to those who watch, in the format that they read. */
final class MetricsServerTest {
    private static final int LIMIT_MILLIS = 30_000;

    @TempDir
    private Path dir = Path.of("");

    private Daemon start(int number, int port) throws IOException {
        String config = """
            net:
              - net type: tcp
                local NI(s):
                  - nid: 127.0.0.%d@tcp
              - net type: tcp1
                local NI(s):
                  - nid: 127.0.1.%d@tcp1
            route:
              - net: tcp9
                gateway: 127.0.0.99@tcp
            routing: {enable: 1}
            """.formatted(number, number);
        Path file = Files.writeString(dir.resolve(number + ".yaml"), config);
        String accept = Integer.toString(port);
        return new Daemon(new DaemonOptions(
                file,
                true,
                dir.resolve(number + ".sock"),
                null,
                null,
                false,
                "0",
                true,
                false,
                Map.of("accept", "all", "accept_port", accept, "accept_port_bulk", accept)));
    }

    private static String get(Daemon daemon, String path, String accept) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) URI.create("http://127.0.0.1:" + daemon.metricsPort() + path)
                .toURL()
                .openConnection();
        connection.setRequestProperty("Accept", accept);
        try (InputStream in = connection.getInputStream()) {
            return connection.getContentType() + "\n" + new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Exposition metrics(Daemon daemon) throws IOException {
        String text = get(daemon, "/metrics", "*/*");
        assertThat(text).startsWith("text/plain; version=0.0.4");
        return Exposition.read(text.substring(text.indexOf('\n') + 1));
    }

    @Test
    @Requirement({"dbg-045", "dbg-095", "dbg-100"})
    void allFiguresOfANodeInTheFormatOfPrometheus() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (Daemon one = start(46, port);
                Daemon other = start(47, port)) {
            assertThat(other.metricsPort()).isNotZero();
            new RemoteDlc(dir.resolve("46.sock"))
                    .execute(new TargetOperation.Discover(List.of("127.0.0.47@tcp"), false));
            Exposition told = metrics(one);
            for (Statistic each : Statistic.values()) {
                assertThat(told.types().keySet()).containsAnyOf("lnet_" + each.key(), "lnet_" + each.key() + "_total");
            }
            Map<String, Double> samples = told.samples();
            assertThat(samples)
                    .containsEntry("lnet_configured{}", 1.0)
                    .containsEntry("lnet_routing_state{}", 3.0)
                    .containsEntry("lnet_ni_health{interface=lo, net=tcp, nid=127.0.0.46@tcp}", 1000.0)
                    .containsKey("lnet_ni_up{interface=lo, net=tcp1, nid=127.0.1.46@tcp1}")
                    .containsEntry(
                            "lnet_ni_failures_total{interface=lo, net=tcp, nid=127.0.0.46@tcp, reason=aborted}", 0.0)
                    .containsEntry("lnet_peer_ni_health{net=tcp, nid=127.0.0.47@tcp, peer=127.0.0.47@tcp}", 1000.0)
                    .containsKey("lnet_route_up{gateway=127.0.0.99@tcp, net=tcp9}")
                    .containsKey("lnet_gateway_alive{gateway=127.0.0.99@tcp}")
                    .containsKey("lnet_router_buffers_free{cpt=0, size=tiny}")
                    .containsKey("process_start_time_seconds{}");
            assertThat(samples.get("lnet_send_count_total{}")).isGreaterThanOrEqualTo(2);
            String asked = "lnet_peer_ni_latency_seconds_count{kind=get_rtt, net=tcp, nid=127.0.0.47@tcp,"
                    + " peer=127.0.0.47@tcp}";
            assertThat(samples.get(asked)).isGreaterThanOrEqualTo(1);
            assertThat(get(one, "/metrics", "application/openmetrics-text"))
                    .startsWith("application/openmetrics-text")
                    .endsWith("# EOF\n");
        }
    }

    private Daemon startRoce(int number) throws IOException {
        Path file = Files.writeString(dir.resolve("roce" + number + ".yaml"), """
            net:
              - net type: o2ib
                local NI(s):
                  - interfaces:
                      0: lo
                    tunables:
                      peer_credits: %d
            """.formatted(8 * number));
        return new Daemon(new DaemonOptions(
                file,
                true,
                dir.resolve("roce" + number + ".sock"),
                null,
                null,
                false,
                "0",
                true,
                false,
                Map.of("verbs", "roce:127.0.48." + number)));
    }

    @Test
    @Requirement({"dbg-095", "dbg-100"})
    void figuresOfTheInfiniBandTransport() throws IOException {
        try (Daemon one = startRoce(1);
                Daemon two = startRoce(2)) {
            new RemoteDlc(dir.resolve("roce2.sock"))
                    .execute(new TargetOperation.Ping(List.of("127.0.48.1@o2ib"), null, 60, null));
            String labels = "{interface=lo, net=o2ib, nid=127.0.48.2@o2ib}";
            Map<String, Double> samples = metrics(two).samples();
            assertThat(samples)
                    .containsEntry("lnet_o2ib_peers{net=o2ib, nid=127.0.48.2@o2ib}", 1.0)
                    .containsEntry("lnet_o2ib_routes{net=o2ib, nid=127.0.48.2@o2ib, state=connected}", 1.0)
                    .containsEntry("lnet_o2ib_routes{net=o2ib, nid=127.0.48.2@o2ib, state=disconnected}", 0.0)
                    .containsEntry("lnet_o2ib_connections" + labels, 1.0)
                    .containsEntry("lnet_o2ib_connections_reduced" + labels, 1.0)
                    .containsEntry(
                            "lnet_o2ib_port_up{device=roce_lo, interface=lo, net=o2ib, nid=127.0.48.2@o2ib}", 1.0)
                    .containsEntry(
                            "lnet_o2ib_port_degraded{device=roce_lo, interface=lo, net=o2ib, nid=127.0.48.2@o2ib}", 0.0)
                    .containsEntry(
                            "lnet_o2ib_port_rate_bytes_per_second{device=roce_lo, interface=lo, net=o2ib,"
                                    + " nid=127.0.48.2@o2ib}",
                            1.25e9)
                    .containsEntry("lnet_o2ib_rejects_total{direction=received, reason=msg_queue_size}", 1.0)
                    .containsEntry("lnet_o2ib_rejects_total{direction=sent, reason=msg_queue_size}", 0.0)
                    .containsEntry("lnet_verbs_events_total{event=bad_checksum, kind=roce}", 0.0);
            assertThat(samples.get("lnet_verbs_events_total{event=sent, kind=roce}"))
                    .as("two requests for a connection and a message, at least")
                    .isGreaterThanOrEqualTo(3);
            assertThat(samples.get("lnet_ni_received_bytes_total" + labels))
                    .as("the REPLY of a ping")
                    .isGreaterThanOrEqualTo(16);
            assertThat(samples.get("lnet_peer_ni_received_bytes_total{net=o2ib, nid=127.0.48.1@o2ib,"
                            + " peer=127.0.48.1@o2ib}"))
                    .isGreaterThanOrEqualTo(16);
            assertThat(metrics(one).samples())
                    .as("it gives what it was asked for")
                    .containsEntry("lnet_o2ib_rejects_total{direction=sent, reason=msg_queue_size}", 1.0)
                    .containsEntry("lnet_o2ib_connections_reduced{interface=lo, net=o2ib, nid=127.0.48.1@o2ib}", 0.0);
        }
    }

    @Test
    void aNodeWithoutLnetTellsThat() throws IOException {
        try (Daemon daemon = new Daemon(new DaemonOptions(
                dir.resolve("none"), false, dir.resolve("s"), null, null, false, "0", true, false, Map.of()))) {
            assertThat(metrics(daemon).samples())
                    .containsEntry("lnet_configured{}", 0.0)
                    .doesNotContainKey("lnet_peers{}");
        }
    }

    @Test
    void healthIsAStatusAndALine() throws IOException {
        assertThat(Health.of(null)).isEqualTo(new Health(false, "LNet is not configured"));
        try (Daemon none = new Daemon(new DaemonOptions(
                dir.resolve("none"), false, dir.resolve("s"), null, null, false, "0", true, false, Map.of()))) {
            assertThat(status(none, "/healthz")).isEqualTo(503);
        }
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (Daemon one = start(45, port)) {
            assertThat(get(one, "/healthz", "*/*")).endsWith("\nok: 2 of 2 NIs up\n");
        }
    }

    @Test
    @Timeout(60)
    void callersThatNeverEndTheirRequestHoldUpNobody() throws IOException {
        List<Socket> idle = new ArrayList<>();
        try (Daemon daemon = new Daemon(new DaemonOptions(
                dir.resolve("none"), false, dir.resolve("s"), null, null, false, "0", true, false, Map.of()))) {
            for (int i = 0; i < 2 * MetricsPages.MAX_REQUESTS; i++) {
                Socket each = new Socket(InetAddress.getLoopbackAddress(), daemon.metricsPort());
                idle.add(each);
                each.getOutputStream().write('G');
            }
            assertThat(status(daemon, "/healthz")).isEqualTo(503);
            assertThat(status(daemon, "/metrics")).isEqualTo(200);
            assertThat(System.getProperties())
                    .containsKeys(
                            "jdk.httpserver.maxConnections",
                            "sun.net.httpserver.maxReqTime",
                            "sun.net.httpserver.maxRspTime");
        } finally {
            for (Socket each : idle) {
                each.close();
            }
        }
    }

    @Test
    @Timeout(60)
    void theHealthIsToldWhileAllPlacesAreTaken() throws Exception {
        CountDownLatch taken = new CountDownLatch(MetricsPages.MAX_REQUESTS);
        CountDownLatch go = new CountDownLatch(1);
        MetricsPages pages = MetricsPages.open("0", "p", "it is", MetricSnapshots::new, () -> new Health(true, "well"));
        pages.page("/slow", "slow", exchange -> {
            taken.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new InterruptedIOException(e.getMessage());
            }
            MetricsPages.answer(exchange, MetricsPages.OK, "done\n");
        });
        pages.begin();
        try (pages;
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> slow = new ArrayList<>();
            for (int i = 0; i < MetricsPages.MAX_REQUESTS; i++) {
                slow.add(callers.submit(() -> status(pages.port(), "/slow")));
            }
            taken.await();
            assertThat(status(pages.port(), "/metrics")).isEqualTo(503);
            assertThat(status(pages.port(), "/healthz")).isEqualTo(200);
            go.countDown();
            for (Future<Integer> each : slow) {
                assertThat(each.get()).isEqualTo(200);
            }
            assertThat(status(pages.port(), "/metrics"))
                    .as("the places are given back")
                    .isEqualTo(200);
        } finally {
            go.countDown();
        }
    }

    @Test
    void theStartPageListsTheOthers() throws IOException {
        try (Daemon daemon = new Daemon(new DaemonOptions(
                dir.resolve("none"), false, dir.resolve("s"), null, null, false, "0", true, false, Map.of()))) {
            assertThat(get(daemon, "/", "*/*"))
                    .startsWith("text/html")
                    .contains("href=\"/metrics\"", "href=\"/healthz\"", "/probe?target=NID");
            assertThat(status(daemon, "/favicon.ico")).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/metrics", "/healthz"})
    void pagesAreOnlyReadAndAnotherMethodIsToldSo(String path) throws IOException {
        MetricsPages pages = MetricsPages.open("0", "p", "it is", MetricSnapshots::new, () -> new Health(true, "well"));
        pages.begin();
        try (pages) {
            HttpURLConnection connection = (HttpURLConnection) URI.create("http://127.0.0.1:" + pages.port() + path)
                    .toURL()
                    .openConnection();
            connection.setRequestMethod("DELETE");
            assertThat(connection.getResponseCode()).isEqualTo(405);
            assertThat(connection.getHeaderField("Allow")).isEqualTo("GET, HEAD");
        }
    }

    /** Probes ask so that want the status only. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void headIsAnsweredAsGetWithoutTheBody(boolean usable) throws IOException {
        MetricsPages pages =
                MetricsPages.open("0", "p", "it is", MetricSnapshots::new, () -> new Health(usable, "well"));
        pages.begin();
        try (pages) {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create("http://127.0.0.1:" + pages.port() + "/healthz")
                            .toURL()
                            .openConnection();
            connection.setRequestMethod("HEAD");
            assertThat(connection.getResponseCode()).isEqualTo(usable ? 200 : 503);
            assertThat(connection.getHeaderField("Content-Type")).startsWith("text/plain");
            assertThat(connection.getContentLength()).isEqualTo("well\n".length());
        }
    }

    /** Whoever asks hears why, and does not take it for gone. */
    @ParameterizedTest
    @ValueSource(strings = {"/metrics", "/healthz"})
    void aProgramThatIsTooBusyToTellIsNotUsable(String path) throws IOException {
        ErrnoException busy = new ErrnoException(Errno.EBUSY, "it is busy");
        MetricsPages pages = MetricsPages.open(
                "0",
                "p",
                "it is",
                () -> {
                    throw busy;
                },
                () -> {
                    throw busy;
                });
        pages.begin();
        try (pages) {
            HttpURLConnection connection = (HttpURLConnection) URI.create("http://127.0.0.1:" + pages.port() + path)
                    .toURL()
                    .openConnection();
            assertThat(connection.getResponseCode()).isEqualTo(503);
            try (InputStream why = connection.getErrorStream()) {
                assertThat(new String(why.readAllBytes(), StandardCharsets.UTF_8))
                        .isEqualTo("it is busy\n");
            }
        }
    }

    private static int status(Daemon daemon, String path) throws IOException {
        return status(daemon.metricsPort(), path);
    }

    private static int status(int port, String path) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
        connection.setReadTimeout(LIMIT_MILLIS);
        try {
            return connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }

    @Test
    void probes() throws IOException {
        assertThat(written(NodeMetrics.probe(true, 0.25)).samples())
                .isEqualTo(Map.of("probe_success{}", 1.0, "probe_duration_seconds{}", 0.25));
    }

    private static Exposition written(MetricSnapshots figures) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ExpositionFormats.init().getPrometheusTextFormatWriter().write(bytes, figures);
        return Exposition.read(bytes.toString(StandardCharsets.UTF_8));
    }

    /** The reader of this test, which would be of no use if it took anything. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x 1",
                "# HELP x_total t\n# TYPE x_total counter\nx_total 1",
                "# HELP x t\n# TYPE x counter\nx 1\n",
                "# HELP x t\n# TYPE x gauge\nx 1\nx 1\n",
                "# HELP x t\n# TYPE x gauge\ny 1\n",
                "# HELP x t\n# HELP x t\n",
                "# HELP x t\n# TYPE x gauge\nx{a=\"1\",a=\"2\"} 1\n",
                "# HELP x t\n# TYPE x gauge\nx{a=\"1} 1\n",
                "# HELP x t\n# TYPE x gauge\nx{a=\"\\z\"} 1\n",
                "# HELP x t\n# TYPE x gauge\nx one\n",
                "# HELP 9x t\n",
                "# HELP x t\n# TYPE x gauge\nx 1\n# HELP y t\n# TYPE y gauge\ny 1\nx{a=\"1\"} 1\n"
            })
    void whatIsNotInTheFormatIsNotRead(String text) {
        assertThatThrownBy(() -> Exposition.read(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
