package org.railyard.node.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.control.DlcException;
import org.railyard.control.TargetOperation;
import org.railyard.control.node.NodeDlc;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidFormatException;
import org.railyard.node.o2ib.O2ibFigures;

/**
 * Listens for those who watch: {@code /metrics}, {@code /probe?target=NID}, which pings, and {@code /healthz}, whose
 * status says whether the node can be used. {@code /} lists these. Only reads.
 */
public final class MetricsServer implements AutoCloseable {
    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final int THREADS = 4;
    private static final int BACKLOG = 16;
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;
    private static final String HTML = "text/html; charset=utf-8";

    /** For whoever opens the address in a browser. */
    private static final String START = """
        <!DOCTYPE html>
        <html lang="en">
        <head><title>lnetd</title></head>
        <body>
        <h1>lnetd</h1>
        <ul>
        <li><a href="/metrics">/metrics</a>: the node and its process, for Prometheus</li>
        <li><a href="/healthz">/healthz</a>: status 200 if LNet is configured and an NI is up, else 503</li>
        <li>/probe?target=NID: pings a node</li>
        </ul>
        </body>
        </html>
        """;

    private final HttpServer server;
    private final ExecutorService workers;
    private final NodeDlc dlc;
    private final Supplier<O2ibFigures> o2ib;
    private final ExpositionFormats formats = ExpositionFormats.init();

    private MetricsServer(HttpServer server, ExecutorService workers, NodeDlc dlc, Supplier<O2ibFigures> o2ib) {
        this.server = server;
        this.workers = workers;
        this.dlc = dlc;
        this.o2ib = o2ib;
    }

    /**
     * Starts to listen.
     *
     * @param where port, or address and port: {@code 9500} stands for {@code 127.0.0.1:9500}; port 0 for any free one
     * @param o2ib tells of the InfiniBand transport whenever it is asked
     * @throws ErrnoException EINVAL if that can not be read
     * @throws IOException if it can not listen there
     */
    public static MetricsServer start(String where, NodeDlc dlc, Supplier<O2ibFigures> o2ib) throws IOException {
        HttpServer server = listen(address(where));
        ExecutorService workers = Executors.newFixedThreadPool(
                THREADS, Thread.ofPlatform().daemon().name("lnetd-metrics-", 0).factory());
        MetricsServer made = new MetricsServer(server, workers, dlc, o2ib);
        server.setExecutor(workers);
        server.createContext("/", made::start);
        server.createContext("/healthz", made::health);
        server.createContext("/metrics", made::metrics);
        server.createContext("/probe", made::probe);
        server.start();
        return made;
    }

    private static HttpServer listen(InetSocketAddress address) throws IOException {
        try {
            return HttpServer.create(address, BACKLOG);
        } catch (BindException e) {
            throw new ErrnoException(
                    Errno.EADDRINUSE,
                    "can not listen for metrics on " + address.getAddress().getHostAddress() + " port "
                            + address.getPort() + ": " + e.getMessage() + "; choose another with --metrics",
                    e);
        }
    }

    private static InetSocketAddress address(String where) throws IOException {
        int colon = where.lastIndexOf(':');
        String host = colon < 0 ? "127.0.0.1" : where.substring(0, colon).replaceAll("[\\[\\]]", "");
        try {
            return new InetSocketAddress(InetAddress.getByName(host), Integer.parseInt(where.substring(colon + 1)));
        } catch (IllegalArgumentException e) {
            throw new ErrnoException(
                    Errno.EINVAL, "'" + where + "' is no place for metrics; expected a port or address:port", e);
        }
    }

    private void start(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!isGet(exchange)) {
                return;
            }
            String path = exchange.getRequestURI().getPath();
            if (path.equals("/")) {
                answer(exchange, OK, HTML, START.getBytes(StandardCharsets.UTF_8));
            } else {
                answer(exchange, NOT_FOUND, "no such page; there are /metrics, /healthz and /probe?target=NID\n");
            }
        }
    }

    private void health(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (isGet(exchange)) {
                Health health = Health.of(dlc.lnet());
                answer(exchange, health.isUsable() ? OK : UNAVAILABLE, health.text() + "\n");
            }
        }
    }

    private void metrics(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (isGet(exchange)) {
                answer(exchange, NodeMetrics.of(dlc.lnet(), o2ib.get()));
            }
        }
    }

    private static boolean isGet(HttpExchange exchange) throws IOException {
        if (exchange.getRequestMethod().equals("GET")) {
            return true;
        }
        answer(exchange, NOT_ALLOWED, "only GET\n");
        return false;
    }

    private void probe(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!isGet(exchange)) {
                return;
            }
            String query = String.valueOf(exchange.getRequestURI().getQuery());
            String target = "";
            for (String each : query.split("&")) {
                if (each.startsWith("target=")) {
                    target = each.substring("target=".length());
                }
            }
            if (target.isEmpty()) {
                answer(exchange, BAD_REQUEST, "which target is missing: /probe?target=NID\n");
                return;
            }
            try {
                Nid.parse(target);
            } catch (NidFormatException e) {
                answer(exchange, BAD_REQUEST, "target: " + e.getMessage() + "\n");
                return;
            }
            answer(exchange, probe(target));
        }
    }

    private MetricSnapshots probe(String target) {
        long begin = System.nanoTime();
        boolean success;
        try {
            Map<String, Object> answer = dlc.execute(new TargetOperation.Ping(List.of(target), null, null, true));
            success = !answer.containsKey("manage");
        } catch (DlcException e) {
            success = false;
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        return NodeMetrics.probe(success, seconds);
    }

    /**
     * Writes figures in the format that the one who asks likes best: of Prometheus, unless it says otherwise, or
     * OpenMetrics.
     */
    private void answer(HttpExchange exchange, MetricSnapshots figures) throws IOException {
        String accepted = exchange.getRequestHeaders().getFirst("Accept");
        ExpositionFormatWriter writer = accepted != null && accepted.contains("application/openmetrics-text")
                ? formats.getOpenMetricsTextFormatWriter()
                : formats.getPrometheusTextFormatWriter();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writer.write(bytes, figures);
        answer(exchange, OK, writer.getContentType(), bytes.toByteArray());
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        answer(exchange, status, PLAIN, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] bytes) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream body = exchange.getResponseBody()) {
            body.write(bytes);
        }
    }

    /** Returns the port. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** Stops to listen. */
    @Override
    public void close() {
        server.stop(0);
        workers.shutdownNow();
    }
}
