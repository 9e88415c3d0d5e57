package org.railyard.console.web;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.host.BindFailure;
import org.railyard.host.HttpLimits;

/**
 * Serves pages to browsers of this machine: on the loopback address only, to whoever has the token. What changes
 * something is asked for with POST, with a second token in a header. Thread-safe.
 */
public final class WebServer implements AutoCloseable {
    /** Most requests at a time, events apart. */
    static final int MAX_REQUESTS = 32;

    private static final System.Logger LOG = System.getLogger("org.railyard.console");
    private static final int BACKLOG = 64;
    private static final int NO_BODY = -1;
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int FAILED = 500;
    private static final int BUSY = 503;
    private static final String EVENTS = "/events";

    /** Tells our own pages whether they may change something: with what. */
    private static final String CHANGE_TOKEN = "/api/change";

    /** Only files of our own, no script in a page, and no text that is made into a page. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types 'none'";

    private final HttpServer server;
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore requests = new Semaphore(MAX_REQUESTS);
    private final Gate gate = new Gate(new SecureRandom());
    private final Assets assets;
    private final EventHub hub;
    private final Map<String, Page> pages;
    private final Map<String, Page> changes;

    private WebServer(
            HttpServer server, Assets assets, EventHub hub, Map<String, Page> pages, Map<String, Page> changes) {
        this.server = server;
        this.assets = assets;
        this.hub = hub;
        this.pages = Map.copyOf(pages);
        this.changes = Map.copyOf(changes);
    }

    /**
     * Starts to listen.
     *
     * @param port 0 for any free one
     * @param hub tells at {@code /events} what happens
     * @param pages what answers, by path
     * @param changes what changes something, by path; none if nothing may be changed
     * @throws ErrnoException EADDRINUSE if the port is taken, EPERM if this user may not have it
     * @throws IOException if it can not listen
     */
    public static WebServer start(
            int port, Assets assets, EventHub hub, Map<String, Page> pages, Map<String, Page> changes)
            throws IOException {
        WebServer made = new WebServer(listen(port), assets, hub, pages, changes);
        made.server.setExecutor(made.workers);
        made.server.createContext("/", made::handle);
        made.server.start();
        return made;
    }

    private static HttpServer listen(int port) throws IOException {
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1}), port);
        // Not the time of answers: events go on for as long as a page is open.
        HttpLimits.set();
        try {
            return HttpServer.create(address, BACKLOG);
        } catch (BindException e) {
            throw new ErrnoException(
                    BindFailure.errno(e),
                    "can not listen on 127.0.0.1 port " + port + ": " + e.getMessage()
                            + "; choose another port, or 0 for any free one",
                    e);
        }
    }

    /** Returns where it listens. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    /** Returns the address to open; it has the token in it. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/?" + Gate.TOKEN + "=" + gate.token();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Headers out = exchange.getResponseHeaders();
            out.set("Content-Security-Policy", POLICY);
            out.set("X-Content-Type-Options", "nosniff");
            out.set("Referrer-Policy", "no-referrer");
            out.set("Cross-Origin-Resource-Policy", "same-origin");
            out.set("Cross-Origin-Opener-Policy", "same-origin");
            out.set("Cache-Control", "no-store");
            WebAnswer refusal = refusal(exchange);
            if (refusal != null) {
                send(exchange, refusal);
            } else if (isGet(exchange, EVENTS)) {
                events(exchange);
            } else {
                send(exchange, limited(exchange));
            }
        }
    }

    private static boolean isGet(HttpExchange exchange, String path) {
        return exchange.getRequestMethod().equals("GET")
                && exchange.getRequestURI().getPath().equals(path);
    }

    private @Nullable WebAnswer refusal(HttpExchange exchange) {
        Headers headers = exchange.getRequestHeaders();
        if (!Gate.isOwnHost(headers)) {
            return WebAnswer.text(FORBIDDEN, "this console is reached as 127.0.0.1 or localhost only");
        }
        if (gate.isToken(query(exchange).get(Gate.TOKEN))) {
            exchange.getResponseHeaders().set("Set-Cookie", gate.setCookie());
        } else if (!gate.hasCookie(headers)) {
            return WebAnswer.text(FORBIDDEN, "open the address that 'railyard console' printed; it has a token in it");
        }
        return switch (exchange.getRequestMethod()) {
            case "GET" -> null;
            case "POST" -> changeRefusal(exchange);
            default -> {
                exchange.getResponseHeaders().set("Allow", changes.isEmpty() ? "GET" : "GET, POST");
                yield WebAnswer.text(NOT_ALLOWED, "only GET, and POST for changes");
            }
        };
    }

    private @Nullable WebAnswer changeRefusal(HttpExchange exchange) {
        if (changes.isEmpty()) {
            return WebAnswer.failed(
                    FORBIDDEN, "this console only reads; start it with --allow-changes to change nodes from here");
        }
        return gate.mayChange(exchange.getRequestHeaders())
                ? null
                : WebAnswer.failed(FORBIDDEN, "only pages of this console may ask it for a change");
    }

    private WebAnswer limited(HttpExchange exchange) {
        if (!requests.tryAcquire()) {
            return WebAnswer.failed(BUSY, "more than " + MAX_REQUESTS + " requests at once; try again");
        }
        try {
            return answer(exchange);
        } finally {
            requests.release();
        }
    }

    private WebAnswer answer(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        if (exchange.getRequestMethod().equals("POST")) {
            return answer(path, changes.get(path), exchange);
        }
        if (path.equals(CHANGE_TOKEN)) {
            return WebAnswer.of(changes.isEmpty() ? Map.of() : Map.of("token", gate.changeToken()));
        }
        WebAnswer file = assets.at(path);
        if (file != null) {
            return file;
        }
        return answer(path, pages.get(path), exchange);
    }

    private static WebAnswer answer(String path, @Nullable Page page, HttpExchange exchange) {
        if (page == null) {
            return WebAnswer.text(NOT_FOUND, "nothing is here; the console begins at /");
        }
        try {
            return page.answer(query(exchange));
        } catch (IllegalArgumentException e) {
            return WebAnswer.failed(BAD_REQUEST, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "the page " + path + " failed", e);
            return WebAnswer.failed(FAILED, "the console failed at it: " + e);
        }
    }

    private void events(HttpExchange exchange) throws IOException {
        if (!hub.enter()) {
            send(exchange, WebAnswer.text(BUSY, "more than " + EventHub.MAX_CLIENTS + " pages are open; close one"));
            return;
        }
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
            exchange.sendResponseHeaders(OK, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                hub.serve(out);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a page went away: {0}", e.getMessage());
        } finally {
            hub.leave();
        }
    }

    /** Returns the fields of the address; of two with the same name the first. */
    private static Map<String, String> query(HttpExchange exchange) {
        Map<String, String> fields = new LinkedHashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        for (String each : raw == null ? new String[0] : raw.split("&")) {
            int equals = each.indexOf('=');
            if (equals > 0) {
                fields.putIfAbsent(decoded(each.substring(0, equals)), decoded(each.substring(equals + 1)));
            }
        }
        return fields;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static void send(HttpExchange exchange, WebAnswer answer) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", answer.type());
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(answer.status(), NO_BODY);
            return;
        }
        exchange.sendResponseHeaders(answer.status(), answer.body().length);
        try (OutputStream body = exchange.getResponseBody()) {
            body.write(answer.body());
        }
    }

    /** Stops to listen, and sends everybody away. */
    @Override
    public void close() {
        hub.end();
        server.stop(0);
        workers.shutdownNow();
    }
}
