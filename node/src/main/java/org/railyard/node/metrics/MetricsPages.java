package org.railyard.node.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.control.DlcException;
import org.railyard.host.BindFailure;
import org.railyard.host.HttpLimits;

/**
 * Listens for those who watch a program: {@code /metrics}, and {@code /healthz}, whose status says whether it can be
 * used. {@code /} lists these. Only reads.
 */
public final class MetricsPages implements AutoCloseable {
    static final int OK = 200;
    static final int BAD_REQUEST = 400;

    /** Most requests at a time, those for the health apart. */
    static final int MAX_REQUESTS = 32;

    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final String GET = "GET";

    /** As GET, without the body: many probes ask so. */
    private static final String HEAD = "HEAD";

    private static final int BACKLOG = 16;
    private static final int NO_BODY = -1;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;
    private static final String HTML = "text/html; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore requests = new Semaphore(MAX_REQUESTS);
    private final ExpositionFormats formats = ExpositionFormats.init();
    private final String program;
    private final String usable;
    private String more = "";

    private MetricsPages(HttpServer server, String program, String usable) {
        this.server = server;
        this.program = program;
        this.usable = usable;
    }

    /**
     * Starts to listen.
     *
     * @param where port, or address and port: {@code 9500} stands for {@code 127.0.0.1:9500}; port 0 for any free one
     * @param program its name
     * @param usable when its health is good, in words
     * @param figures adds the figures, those of the process apart
     * @param health tells whether it can be used
     * @throws ErrnoException EINVAL if the place can not be read, EADDRINUSE if it is taken
     * @throws IOException if it can not listen there
     */
    public static MetricsPages start(
            String where, String program, String usable, Consumer<Figures> figures, Supplier<Health> health)
            throws IOException {
        MetricsPages pages = open(
                where,
                program,
                usable,
                () -> {
                    MetricSnapshots.Builder out = MetricSnapshots.builder();
                    figures.accept(new Figures(out));
                    ProcessMetrics.addTo(out);
                    return out.build();
                },
                health);
        pages.begin();
        return pages;
    }

    /** Makes them; they are answered from {@link #begin} on. */
    static MetricsPages open(
            String where, String program, String usable, Supplier<MetricSnapshots> figures, Supplier<Health> health)
            throws IOException {
        MetricsPages made = new MetricsPages(listen(address(where)), program, usable);
        made.server.setExecutor(made.workers);
        made.server.createContext("/", only(made::start));
        // Without a place: whoever is told that a node is not well restarts it.
        made.server.createContext("/healthz", only(exchange -> {
            Health state = health.get();
            answer(exchange, state.isUsable() ? OK : UNAVAILABLE, state.text() + "\n");
        }));
        made.page("/metrics", exchange -> made.answer(exchange, figures.get()));
        return made;
    }

    /** Adds a page that is listed with a line of HTML. */
    void page(String path, String line, HttpHandler handler) {
        more += "<li>" + line + "</li>\n";
        page(path, handler);
    }

    private void page(String path, HttpHandler handler) {
        server.createContext(path, only(exchange -> limited(exchange, handler)));
    }

    /** Closes each exchange behind the handler, which gets those with GET and HEAD only. */
    private static HttpHandler only(HttpHandler handler) {
        return exchange -> {
            try (exchange) {
                if (isRead(exchange)) {
                    handle(exchange, handler);
                }
            }
        };
    }

    /** Answers what can not be told now, too: the connection would be closed without a word. */
    private static void handle(HttpExchange exchange, HttpHandler handler) throws IOException {
        try {
            handler.handle(exchange);
        } catch (ErrnoException e) {
            answer(exchange, UNAVAILABLE, DlcException.textOf(e) + "\n");
        }
    }

    private void limited(HttpExchange exchange, HttpHandler handler) throws IOException {
        if (!requests.tryAcquire()) {
            answer(exchange, UNAVAILABLE, "more than " + MAX_REQUESTS + " requests at once; try again\n");
            return;
        }
        try {
            handler.handle(exchange);
        } finally {
            requests.release();
        }
    }

    void begin() {
        server.start();
    }

    private static HttpServer listen(InetSocketAddress address) throws IOException {
        HttpLimits.setWithAnswers();
        try {
            return HttpServer.create(address, BACKLOG);
        } catch (BindException e) {
            throw new ErrnoException(
                    BindFailure.errno(e),
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
        if (exchange.getRequestURI().getPath().equals("/")) {
            answer(exchange, OK, HTML, startPage().getBytes(StandardCharsets.UTF_8));
        } else {
            answer(exchange, NOT_FOUND, "no such page; / lists those that there are\n");
        }
    }

    /** {@return what whoever opens the address in a browser sees} */
    private String startPage() {
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head><title>%1$s</title></head>
            <body>
            <h1>%1$s</h1>
            <ul>
            <li><a href="/metrics">/metrics</a>: figures for Prometheus</li>
            <li><a href="/healthz">/healthz</a>: status 200 if %2$s, else 503</li>
            %3$s</ul>
            </body>
            </html>
            """.formatted(program, usable, more);
    }

    private static boolean isRead(HttpExchange exchange) throws IOException {
        if (exchange.getRequestMethod().equals(GET)
                || exchange.getRequestMethod().equals(HEAD)) {
            return true;
        }
        exchange.getResponseHeaders().set("Allow", GET + ", " + HEAD);
        answer(exchange, NOT_ALLOWED, "only GET and HEAD\n");
        return false;
    }

    /**
     * Writes figures in the format that the one who asks likes best: of Prometheus, unless it says otherwise, or
     * OpenMetrics.
     */
    void answer(HttpExchange exchange, MetricSnapshots figures) throws IOException {
        String accepted = exchange.getRequestHeaders().getFirst("Accept");
        ExpositionFormatWriter writer = accepted != null && accepted.contains("application/openmetrics-text")
                ? formats.getOpenMetricsTextFormatWriter()
                : formats.getPrometheusTextFormatWriter();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writer.write(bytes, figures);
        answer(exchange, OK, writer.getContentType(), bytes.toByteArray());
    }

    static void answer(HttpExchange exchange, int status, String text) throws IOException {
        answer(exchange, status, PLAIN, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] bytes) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        if (exchange.getRequestMethod().equals(HEAD)) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(bytes.length));
            exchange.sendResponseHeaders(status, NO_BODY);
            return;
        }
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
