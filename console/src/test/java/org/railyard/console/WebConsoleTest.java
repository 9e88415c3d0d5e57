package org.railyard.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.ErrnoException;
import org.railyard.console.Planned.Mood;
import org.railyard.control.ExplainOperation;
import org.railyard.control.GlobalOperation;
import org.railyard.control.NetOperation;
import org.railyard.control.PeerOperation;

/** Who may come in, what they get, and what they are told as it happens. */
final class WebConsoleTest {
    private static final Duration INTERVAL = Duration.ofMillis(5);
    private static final int OK = 200;
    private static final int FORBIDDEN = 403;

    private final Planned node = new Planned();
    private final HttpClient client = HttpClient.newHttpClient();
    private WebConsole console = console();

    private WebConsole console() {
        try {
            return WebConsole.start(0, Map.of("one", node), null, null, false, INTERVAL);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void start() {
        assertThat(console.url()).matches("http://127\\.0\\.0\\.1:[0-9]+/\\?token=[A-Za-z0-9_-]{32}");
    }

    @AfterEach
    void stop() {
        console.close();
        client.close();
    }

    private String base() {
        return console.url().substring(0, console.url().indexOf("/?"));
    }

    private String token() {
        return console.url().substring(console.url().indexOf("token="));
    }

    private HttpResponse<String> get(String address, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> inside(String path) throws IOException, InterruptedException {
        return get(base() + path + (path.contains("?") ? "&" : "?") + token());
    }

    private String cookie() throws IOException, InterruptedException {
        String set = get(console.url()).headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(set).contains("; HttpOnly").contains("; SameSite=Strict");
        return set.substring(0, set.indexOf(';'));
    }

    /** Sends bytes as they are, which no client of the JDK would. */
    private String raw(String request) throws IOException {
        URI at = URI.create(base());
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), at.getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String statusFor(String host) throws IOException {
        String hosts = host.isEmpty() ? "" : "Host: " + host + "\r\n";
        return raw("GET /?" + token() + " HTTP/1.1\r\n" + hosts + "Connection: close\r\n\r\n")
                .lines()
                .findFirst()
                .orElse("");
    }

    @Test
    void onlyTheTokenLetsIn() throws IOException, InterruptedException {
        for (String path : List.of("/", "/app.js", "/events", "/api/routes?node=0", "/nothing")) {
            assertThat(get(base() + path).statusCode()).as(path).isEqualTo(FORBIDDEN);
        }
        assertThat(get(base() + "/?token=").statusCode()).isEqualTo(FORBIDDEN);
        assertThat(get(base() + "/?" + token() + "A").statusCode()).isEqualTo(FORBIDDEN);
        assertThat(get(base() + "/?token=%00").statusCode()).isEqualTo(FORBIDDEN);
        assertThat(get(console.url()).statusCode()).isEqualTo(OK);
    }

    @Test
    void theCookieLetsOurOwnPagesIn() throws IOException, InterruptedException {
        String cookie = cookie();
        assertThat(get(base() + "/app.js", "Cookie", "a=b; " + cookie).statusCode())
                .isEqualTo(OK);
        assertThat(get(base() + "/app.js", "Cookie", cookie, "Sec-Fetch-Site", "same-origin")
                        .statusCode())
                .isEqualTo(OK);
        // A page at another port of this machine, or of a stranger.
        assertThat(get(base() + "/app.js", "Cookie", cookie, "Sec-Fetch-Site", "same-site")
                        .statusCode())
                .isEqualTo(FORBIDDEN);
        assertThat(get(base() + "/app.js", "Cookie", cookie, "Sec-Fetch-Site", "cross-site")
                        .statusCode())
                .isEqualTo(FORBIDDEN);
        assertThat(get(base() + "/app.js", "Cookie", cookie + "x").statusCode()).isEqualTo(FORBIDDEN);
    }

    private HttpResponse<String> post(WebConsole to, String path, String... headers)
            throws IOException, InterruptedException {
        String url = to.url().replace("/?", path + (path.contains("?") ? "&" : "?"));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).POST(BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aConsoleThatOnlyReadsChangesNothing() throws IOException, InterruptedException {
        assertThat(inside("/api/change").body()).isEqualTo("{}");
        HttpResponse<String> refused =
                post(console, "/api/discovery/set?node=0&value=0", "X-Railyard-Change", "anything");
        assertThat(refused.statusCode()).isEqualTo(FORBIDDEN);
        assertThat(refused.body()).contains("only reads", "--allow-changes");
        assertThat(node.asked()).isEmpty();
    }

    @Test
    void onlyOurOwnPagesMayChangeSomething() throws IOException, InterruptedException {
        try (WebConsole open = WebConsole.start(0, Map.of("one", node), null, null, true, INTERVAL)) {
            String told = get(open.url().replace("/?", "/api/change?")).body();
            String token = told.substring("{\"token\":\"".length(), told.length() - 2);
            String path = "/api/discovery/set?node=0&value=0";
            // With the token of the address alone, with a wrong one, from a page of a stranger, and by GET.
            assertThat(post(open, path).statusCode()).isEqualTo(FORBIDDEN);
            assertThat(post(open, path, "X-Railyard-Change", token + "x").statusCode())
                    .isEqualTo(FORBIDDEN);
            assertThat(post(open, path, "X-Railyard-Change", token, "Origin", "http://example.org")
                            .statusCode())
                    .isEqualTo(FORBIDDEN);
            assertThat(get(open.url().replace("/?", path + "&")).statusCode()).isEqualTo(404);
            assertThat(node.asked()).isEmpty();

            assertThat(post(open, path, "X-Railyard-Change", token).statusCode())
                    .isEqualTo(OK);
            assertThat(post(open, "/api/health/set?node=0&of=node&nid=n&value=500", "X-Railyard-Change", token)
                            .statusCode())
                    .isEqualTo(OK);
            assertThat(post(open, "/api/health/set?node=0&of=peer&nid=p&value=1000", "X-Railyard-Change", token)
                            .statusCode())
                    .isEqualTo(OK);
            assertThat(post(open, "/api/health/set?node=0&of=peer&nid=p&value=1001", "X-Railyard-Change", token)
                            .body())
                    .contains("health 1001; expected 0 to 1000");
            assertThat(post(open, "/api/nothing?node=0", "X-Railyard-Change", token)
                            .statusCode())
                    .isEqualTo(404);
            assertThat(node.asked())
                    .containsExactly(
                            new GlobalOperation.Set("discovery", "0"),
                            new NetOperation.Set(null, "n", false, 500, null, null, null),
                            new PeerOperation.Set("p", false, 1000, null));
        }
    }

    @Test
    void eachConsoleHasATokenOfItsOwn() throws IOException {
        try (WebConsole other = WebConsole.start(0, Map.of(), null, null, false, INTERVAL)) {
            assertThat(other.url()).doesNotContain(token());
        }
    }

    /** A stranger's page may have a name that it makes point to 127.0.0.1; the browser then sends that name. */
    @Test
    void onlyNamesOfThisMachineAreAnswered() throws IOException {
        for (String host : List.of("127.0.0.1", "127.0.0.1:80", "localhost", "localhost:8080", "[::1]:1", "[::1]")) {
            assertThat(statusFor(host)).as(host).isEqualTo("HTTP/1.1 200 OK");
        }
        for (String host : List.of("evil.example", "127.0.0.1.evil.example:80", "localhost.evil:80", "[::2]:1")) {
            assertThat(statusFor(host)).as(host).isEqualTo("HTTP/1.1 403 Forbidden");
        }
        assertThat(statusFor("")).startsWith("HTTP/1.1 40");
        assertThat(statusFor("localhost\r\nHost: evil.example")).isEqualTo("HTTP/1.1 403 Forbidden");
    }

    @Test
    void nothingListensOnOtherAddresses() throws IOException {
        int port = URI.create(base()).getPort();
        List<InetAddress> others = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress())
                .toList();
        for (InetAddress each : others) {
            assertThatThrownBy(() -> new Socket(each, port).close())
                    .as("%s", each)
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void readsOnly() throws IOException, InterruptedException {
        for (String method : List.of("PUT", "DELETE", "OPTIONS")) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(console.url()))
                    .method(method, HttpRequest.BodyPublishers.noBody())
                    .build();
            HttpResponse<Void> refused = client.send(request, HttpResponse.BodyHandlers.discarding());
            assertThat(refused.statusCode()).as(method).isEqualTo(405);
            assertThat(refused.headers().allValues("Allow")).as(method).containsExactly("GET");
        }
    }

    @Test
    void everyAnswerForbidsScriptsInPages() throws IOException, InterruptedException {
        for (String path : List.of("/", "/app.js", "/lib/uplot/uPlot.esm.js", "/api/columns", "/nothing")) {
            HttpResponse<String> answer = inside(path);
            String policy =
                    answer.headers().firstValue("Content-Security-Policy").orElse("");
            assertThat(policy)
                    .as(path)
                    .contains("default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'")
                    .doesNotContain("unsafe", "http:", "https:", "data:", "*");
            assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        }
        assertThat(inside("/").body()).doesNotContain("<style").doesNotContainPattern("<script[^>]*>[^<]");
        assertThat(inside("/nothing").statusCode()).isEqualTo(404);
        assertThat(inside("/../module-info.class").statusCode()).isEqualTo(404);
        assertThat(inside("/%2e%2e/WebConsole.class").statusCode()).isEqualTo(404);
    }

    /** The token is in an address, figures of nodes are in answers. */
    @Test
    void browsersKeepNothingOfAnAnswerAndTellNobodyOfIt() throws IOException, InterruptedException {
        for (String path : List.of("/", "/app.js", "/api/columns", "/nothing")) {
            HttpResponse<String> answer = inside(path);
            assertThat(answer.headers().firstValue("Cache-Control")).as(path).hasValue("no-store");
            assertThat(answer.headers().firstValue("Referrer-Policy")).as(path).hasValue("no-referrer");
            assertThat(answer.headers().firstValue("Cross-Origin-Resource-Policy"))
                    .as(path)
                    .hasValue("same-origin");
        }
    }

    @Test
    void aRequestThatIsAnsweredGivesItsPlaceBack() throws IOException, InterruptedException {
        // One more than are answered at a time.
        for (int i = 0; i < 33; i++) {
            assertThat(inside("/api/columns").statusCode()).isEqualTo(200);
        }
    }

    /** Every file that a page names is there, and none comes from elsewhere. */
    @Test
    void thePagesAreWhole() throws IOException, InterruptedException {
        List<String> open = new ArrayList<>(List.of("/"));
        for (int i = 0; i < open.size(); i++) {
            HttpResponse<String> file = inside(open.get(i));
            assertThat(file.statusCode()).as(open.get(i)).isEqualTo(OK);
            Pattern.compile("(?:from|href=|src=)\\s*['\"](\\.?/[^'\"#]+)['\"]")
                    .matcher(file.body())
                    .results()
                    .map(found -> found.group(1).replaceFirst("^\\./", "/"))
                    .filter(each -> !open.contains(each))
                    .forEach(open::add);
            if (open.get(i).endsWith(".js") && !open.get(i).startsWith("/lib/")) {
                // The name of SVG is no address.
                assertThat(file.body().replace("http://www.w3.org/2000/svg", ""))
                        .as(open.get(i))
                        .doesNotContain("innerHTML", "insertAdjacentHTML", "document.write", "eval(", "://");
            }
        }
        assertThat(open).contains("/app.js", "/table.js", "/style.css", "/lib/uplot/uPlot.esm.js");
    }

    @Test
    void questionsGoToTheNode() throws IOException, InterruptedException {
        assertThat(inside("/api/explain?node=0&to=10.0.0.2%40tcp").body())
                .contains("\"possible\":true")
                .contains("<b>why</b>");
        assertThat(node.asked()).containsExactly(new ExplainOperation.Path("10.0.0.2@tcp", null, null));
        HttpResponse<String> missing = inside("/api/explain?node=0");
        assertThat(missing.statusCode()).isEqualTo(400);
        assertThat(missing.body()).contains("'to' is missing");
        for (String number : List.of("1", "-1", "x", "99999999999")) {
            HttpResponse<String> wrong = inside("/api/routes?node=" + number);
            assertThat(wrong.statusCode()).as(number).isEqualTo(400);
            assertThat(wrong.body()).contains("expected a number below 1");
        }
        node.is(Mood.REFUSES);
        HttpResponse<String> refused = inside("/api/doctor?node=0");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("LNet is not configured");
        node.is(Mood.GONE);
        HttpResponse<String> gone = inside("/api/doctor?node=0");
        assertThat(gone.statusCode()).isEqualTo(502);
        assertThat(gone.body()).contains("no lnetd answers at nowhere: Connection refused");
    }

    @Test
    void aPortThatIsTaken() {
        int port = URI.create(base()).getPort();
        assertThatThrownBy(() -> WebConsole.start(port, Map.of(), null, null, false, INTERVAL))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("127.0.0.1 port " + port)
                .hasMessageContaining("choose another port");
    }

    /** Reads events until one holds a text. */
    private static String until(BufferedReader events, String text) throws IOException {
        StringBuilder all = new StringBuilder();
        for (String line = events.readLine(); line != null; line = events.readLine()) {
            all.append(line).append('\n');
            if (line.contains(text)) {
                return all.toString();
            }
        }
        throw new AssertionError("the events end before '" + text + "':\n" + all);
    }

    private BufferedReader events() throws IOException, InterruptedException {
        HttpResponse<InputStream> answer = client.send(
                HttpRequest.newBuilder(URI.create(base() + "/events?" + token()))
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(OK);
        return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    }

    @Test
    void whatHappensIsTold() throws IOException, InterruptedException {
        try (BufferedReader events = events()) {
            until(events, "\"reach\":\"UP\"");
            node.nis(Planned.ni("10.0.0.1@tcp", "eth0", "FAILED", 900, 10));
            assertThat(until(events, "health fell from 1000 to 900")).contains("NI 10.0.0.1@tcp is FAILED, was ACTIVE");
            node.is(Mood.GONE);
            assertThat(until(events, "\"reach\":\"GONE\"")).contains("no lnetd answers at nowhere: Connection refused");
            node.is(Mood.ANSWERS);
            until(events, "lnetd answers again");
            until(events, "\"reach\":\"UP\"");
            node.is(Mood.REFUSES);
            assertThat(until(events, "\"reach\":\"REFUSES\"")).contains("LNet is not configured");
        }
    }

    @Test
    void peersAreToldOnceAndThenWhatChanges() throws IOException, InterruptedException {
        node.peers(List.of(
                Planned.ni("10.0.0.2@tcp", "10.0.0.2@tcp", "up", 1000, 0),
                Planned.ni("10.0.0.3@tcp", "10.0.0.3@tcp", "up", 1000, 0)));
        try (BufferedReader first = events()) {
            until(first, "10.0.0.3@tcp");
            try (BufferedReader events = events()) {
                assertThat(until(events, "event: peers")).contains("event: state");
                assertThat(until(events, "10.0.0.3@tcp"))
                        .contains("\"all\":true")
                        .contains("10.0.0.2@tcp");
                node.peers(List.of(Planned.ni("10.0.0.2@tcp", "10.0.0.2@tcp", "up", 1000, 77)));
                assertThat(until(events, "\"gone\":[\"10.0.0.3@tcp 10.0.0.3@tcp\"]"))
                        .contains("\"all\":false")
                        .contains("10.0.0.2@tcp");
            }
        }
    }

    /** What a peer calls itself goes through as one line of JSON, whatever it is. */
    @Test
    void hostileNamesStayData() throws IOException, InterruptedException {
        String hostile = "</script><img src=x onerror=alert(1)>\n\ndata: {}\r\nevent: state \u2028 \" \\ \0";
        node.peers(List.of(Planned.ni(hostile, hostile, "up", 1000, 0)));
        try (BufferedReader events = events()) {
            String told = until(events, "onerror");
            assertThat(told.lines().filter(line -> line.equals("data: {}"))).isEmpty();
            String line = told.lines().toList().getLast();
            assertThat(line).startsWith("data: {\"node\":0").contains("\\n\\ndata: {}");
        }
    }

    @Test
    void onlySoManyPagesAtATime() throws IOException, InterruptedException {
        List<BufferedReader> open = new ArrayList<>();
        try {
            for (int i = 0; i < 16; i++) {
                BufferedReader events = events();
                open.add(events);
                until(events, "retry");
            }
            HttpResponse<String> more = inside("/events");
            assertThat(more.statusCode()).isEqualTo(503);
            assertThat(more.body()).contains("16 pages are open");
            // Questions are answered all the same.
            assertThat(inside("/api/columns").statusCode()).isEqualTo(OK);
            open.removeFirst().close();
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            BufferedReader again = null;
            while (again == null && System.nanoTime() < deadline) {
                HttpResponse<InputStream> answer = client.send(
                        HttpRequest.newBuilder(URI.create(base() + "/events?" + token()))
                                .build(),
                        HttpResponse.BodyHandlers.ofInputStream());
                if (answer.statusCode() == OK) {
                    again = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
                } else {
                    answer.body().close();
                }
            }
            assertThat(again).as("a place that became free").isNotNull();
            if (again != null) {
                open.add(again);
                until(again, "event: state");
            }
        } finally {
            for (BufferedReader each : open) {
                each.close();
            }
        }
    }
}
