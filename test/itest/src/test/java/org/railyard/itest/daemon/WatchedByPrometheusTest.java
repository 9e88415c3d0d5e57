package org.railyard.itest.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.control.TargetOperation;
import org.railyard.itest.kit.Await;
import org.railyard.itest.kit.Loopback;
import org.railyard.testkit.BesideOthers;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.Program;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What comes along for those who watch, alerts and a dashboard, against a real daemon and the real Prometheus. */
@BesideOthers
@Order(5)
final class WatchedByPrometheusTest {
    private static final Path SERVICE = Path.of("..", "..", "dist", "service");
    private static final Pattern NAME = Pattern.compile("\\b(?:lnet|process|jvm|probe)_[a-z_]+\\b");

    /** A router with a peer, and a route that nobody answers for: all kinds of figures. */
    private static final String CONFIG = """
        net:
          - net type: tcp
            local NI(s):
              - nid: 127.0.0.64@tcp
          - net type: tcp1
            local NI(s):
              - nid: 127.0.1.64@tcp1
          - net type: o2ib
            local NI(s):
              - interfaces:
                  0: lo
        route:
          - net: tcp9
            gateway: 127.0.0.99@tcp
        routing: {enable: 1}
        """;

    @TempDir
    private Path dir = Path.of("");

    private static Object yaml(Path file) throws IOException {
        return new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
    }

    /** Returns all values of a key, however deep. */
    private static Stream<String> values(Object in, String key) {
        return switch (in) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .flatMap(each -> each.getKey().equals(key) && each.getValue() instanceof String text
                                ? Stream.of(text)
                                : values(each.getValue() == null ? "" : each.getValue(), key));
            case List<?> list -> list.stream().flatMap(each -> values(each, key));
            default -> Stream.of();
        };
    }

    /** Returns what the dashboard asks for, with its variables filled in as Grafana does. */
    private static List<String> queries() throws IOException {
        return values(yaml(SERVICE.resolve("lnetd.dashboard.json")), "expr")
                .map(each -> each.replace("$__rate_interval", "1m").replace("$instance", ".*"))
                .toList();
    }

    private static String get(String url) throws IOException {
        try (InputStream in = URI.create(url).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Lnetd start(int port) throws IOException {
        Files.writeString(dir.resolve("lnet.conf"), CONFIG);
        return new Lnetd(dir, port, List.of("--metrics", "0", "--verbs", "roce:127.0.47.64"));
    }

    private String run(String... command) {
        return Program.of(command).in(dir).run();
    }

    @Test
    void theDashboardHasTheShapeThatGrafanaReads() throws IOException {
        Map<?, ?> dashboard = (Map<?, ?>) yaml(SERVICE.resolve("lnetd.dashboard.json"));
        assertThat(dashboard.get("uid")).isEqualTo("railyard-lnetd");
        assertThat(dashboard.get("schemaVersion")).isInstanceOf(Integer.class);
        Set<Object> ids = new HashSet<>();
        Map<String, Object> places = new LinkedHashMap<>();
        for (Object each : (List<?>) Objects.requireNonNull(dashboard.get("panels"))) {
            Map<?, ?> panel = (Map<?, ?>) each;
            String title = String.valueOf(panel.get("title"));
            assertThat(ids.add(panel.get("id"))).as(title).isTrue();
            assertThat(panel.get("type")).as(title).isIn("timeseries", "stat");
            Map<?, ?> at = (Map<?, ?>) Objects.requireNonNull(panel.get("gridPos"));
            int x = (int) Objects.requireNonNull(at.get("x"));
            int width = (int) Objects.requireNonNull(at.get("w"));
            assertThat(x + width).as(title).isBetween(1, 24);
            assertThat(places.put(x + "," + at.get("y"), title)).as(title).isNull();
            List<String> refs = values(panel, "refId").toList();
            assertThat(refs).as(title).isNotEmpty().doesNotHaveDuplicates();
            assertThat(values(panel, "uid")).as(title).isNotEmpty().allMatch("${datasource}"::equals);
        }
    }

    @Test
    @NeedsCommand({"promtool", "prometheus"})
    void alertsAndDashboardFitTheDaemon() throws IOException {
        int port = Loopback.freePort();
        try (Lnetd lnetd = start(port)) {
            lnetd.dlc().execute(new TargetOperation.Discover(List.of("127.0.0.64@tcp"), false));
            String figures = get("http://127.0.0.1:" + lnetd.metricsPort() + "/metrics")
                    + get("http://127.0.0.1:" + lnetd.metricsPort() + "/probe?target=127.0.0.64@tcp");
            allNamesExist(figures);
            promtoolFindsNothing(figures);
            prometheusReadsAll(lnetd);
        }
    }

    private static void allNamesExist(String figures) throws IOException {
        Set<String> names = new TreeSet<>();
        figures.lines().filter(line -> !line.startsWith("#")).forEach(line -> names.add(line.split("[{ ]", 2)[0]));
        List<String> expressions = new ArrayList<>(queries());
        values(yaml(SERVICE.resolve("lnetd.rules.yml")), "expr").forEach(expressions::add);
        assertThat(expressions).hasSizeGreaterThan(40);
        for (String expression : expressions) {
            Matcher name = NAME.matcher(expression);
            while (name.find()) {
                assertThat(names).as(expression).contains(name.group());
            }
        }
    }

    private void promtoolFindsNothing(String figures) throws IOException {
        Path metrics = Files.writeString(dir.resolve("metrics"), figures);
        assertThat(run("sh", "-c", "promtool check metrics < " + metrics)).isEmpty();
        Files.copy(SERVICE.resolve("lnetd.rules.yml"), dir.resolve("lnetd.rules.yml"));
        Files.copy(SERVICE.resolve("prometheus.yml"), dir.resolve("prometheus.yml"));
        assertThat(run("promtool", "check", "config", "prometheus.yml")).contains("SUCCESS: 24 rules found");
        try (InputStream tests = getClass().getResourceAsStream("/alerts.test.yml")) {
            Files.copy(Objects.requireNonNull(tests), dir.resolve("alerts.test.yml"));
        }
        assertThat(run("promtool", "test", "rules", "alerts.test.yml")).contains("SUCCESS");
    }

    /** As an administrator would, but for the addresses, and faster. */
    private void prometheusReadsAll(Lnetd lnetd) throws IOException {
        Path config = dir.resolve("prometheus.yml");
        Files.writeString(
                config,
                Files.readString(config)
                        .replace("localhost:9500", "127.0.0.1:" + lnetd.metricsPort())
                        .replace("10.0.0.5@tcp", "127.0.0.64@tcp")
                        .replace("15s", "1s"));
        int port = Loopback.freePort();
        Process prometheus = new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + dir.resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("prometheus.log").toFile())
                .start();
        try {
            String api = "http://127.0.0.1:" + port + "/api/v1/";
            Await.until("Prometheus has read the daemon twice", () -> {
                try {
                    return ask(
                                    api,
                                    "min(count_over_time(lnet_send_count_total[1m])) >= 2 and min(up) == 1"
                                            + " and on () probe_success == 1")
                            .contains("\"value\"");
                } catch (IOException e) {
                    return false;
                }
            });
            for (String each : queries()) {
                assertThat(ask(api, each)).as(each).startsWith("{\"status\":\"success\"");
            }
            Await.until("all alerts have been looked at", () -> {
                try {
                    String rules = get(api + "rules");
                    assertThat(rules).doesNotContain("\"health\":\"err\"");
                    return !rules.contains("\"health\":\"unknown\"");
                } catch (IOException e) {
                    return false;
                }
            });
        } finally {
            prometheus.destroyForcibly();
        }
    }

    private static String ask(String api, String query) throws IOException {
        return get(api + "query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
    }
}
