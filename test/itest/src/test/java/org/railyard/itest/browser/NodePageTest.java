package org.railyard.itest.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.railyard.base.text.Doc;
import org.railyard.console.WebConsole;
import org.railyard.control.Dlc;
import org.railyard.control.DocumentSink;
import org.railyard.control.EventsOperation;
import org.railyard.control.ExplainOperation;
import org.railyard.control.GlobalOperation;
import org.railyard.control.NetOperation;
import org.railyard.control.Operation;
import org.railyard.control.PeerOperation;
import org.railyard.control.StatsOperation;
import org.railyard.control.TargetOperation;
import org.railyard.itest.daemon.Lnetd;
import org.railyard.itest.kit.Loopback;
import org.railyard.testkit.BesideOthers;
import org.railyard.testkit.NeedsCommand;

/** The page Node: a real daemon that dies and comes back, ten thousand peers, names that are scripts. */
@BesideOthers
@NeedsCommand({"chromium", "chromedriver"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class NodePageTest {
    private static final String PEERS = "[aria-label='Peers']";
    private static final String NIS = "[aria-label='NIs']";
    private static final String CHOSEN = PEERS + " .line.chosen";
    private static final String CONFIG = """
        net:
          - net type: tcp
            local NI(s):
              - nid: 127.0.0.66@tcp
          - net type: tcp1
            local NI(s):
              - nid: 127.0.1.66@tcp1
        route:
          - net: tcp9
            gateway: 127.0.0.99@tcp
        """;

    @TempDir
    private Path dir = Path.of("");

    private final List<Browser> browsers = new ArrayList<>();

    @BeforeAll
    void start() {
        browsers.add(new Browser());
    }

    @AfterAll
    void stop() {
        browsers.forEach(Browser::close);
    }

    private Browser browser() {
        return browsers.getFirst();
    }

    private static WebConsole console(Map<String, Dlc> nodes) throws IOException {
        return WebConsole.start(0, nodes, null, null, false, Duration.ofMillis(200));
    }

    /** A node with peers that a test names, none of which is there. */
    private static Dlc planned(List<String> peers) {
        return operation -> switch (operation) {
            case StatsOperation.Sample _ ->
                Map.of(
                        "sample",
                        new Doc()
                                .put("time", System.nanoTime())
                                .put("nis", List.of(ni("10.0.0.1@tcp", "eth0", "ACTIVE", 7)))
                                .put("peer nis", rows(peers))
                                .put("more peer nis", 0)
                                .map());
            case ExplainOperation.Path path -> Map.of("possible", true, "text", List.of("to " + path.to()));
            default -> Map.of();
        };
    }

    private static List<Object> rows(List<String> peers) {
        List<Object> rows = new ArrayList<>();
        peers.forEach(each -> rows.add(ni(each, each, "up", rows.size())));
        return rows;
    }

    private static Map<String, Object> ni(String nid, String of, String state, int dropped) {
        return new Doc()
                .put("nid", nid)
                .put("of", of)
                .put("state", state)
                .put("health", 1000)
                .put("credits", 8)
                .put("max_credits", 8)
                .put("min_credits", 8)
                .put("dropped", dropped)
                .map();
    }

    private Lnetd lnetd(int port) throws IOException {
        Files.writeString(dir.resolve("lnet.conf"), CONFIG);
        return new Lnetd(dir, port, List.of("--fresh"));
    }

    /** A change of a page is one of the daemon; a console that only reads does not offer any. */
    @Test
    void changesAreThoseOfTheDaemon() throws IOException {
        try (Lnetd lnetd = lnetd(Loopback.freePort())) {
            Map<String, Dlc> nodes = Map.of("first", lnetd.dlc());
            try (WebConsole console = WebConsole.start(0, nodes, null, null, true, Duration.ofMillis(200))) {
                browser().open(console.url());
                browser().awaitText(NIS, "127.0.0.66@tcp");
                browser().awaitText(".beside", "actions");
                browser().click("#tab-actions");
                browser().click("#discovery-off");
                browser().awaitText("#said", "discovery is off");
                assertThat(lnetd.dlc().execute(new GlobalOperation.Show(false)))
                        .asString()
                        .contains("discovery=0");

                // A gateway that is not there: its health can only fall further.
                browser().awaitText(PEERS, "127.0.0.99@tcp");
                browser().click(PEERS + " .rows .line");
                browser().awaitText("#told", "NI of a peer 127.0.0.99@tcp");
                browser().run("document.getElementById('health').value = 5");
                browser().click("#set-health");
                browser().awaitText("#said", "the health is set");
                assertThat(lnetd.dlc().execute(new PeerOperation.Show("127.0.0.99@tcp", 3, 1)))
                        .asString()
                        .containsPattern("health value=[05]\\b");

                browser().run("document.getElementById('health').value = 4000");
                browser().click("#set-health");
                browser().awaitText("#said", "health 4000; expected 0 to 1000");
            }
            try (WebConsole console = console(nodes)) {
                browser().open(console.url());
                browser().awaitText(NIS, "127.0.0.66@tcp");
                assertThat(browser().run("return document.querySelectorAll('#tab-actions').length"))
                        .isEqualTo(0L);
            }
        }
    }

    @Test
    void aDaemonThatDiesAndComesBack() throws IOException {
        int port = Loopback.freePort();
        Lnetd lnetd = lnetd(port);
        Map<String, Dlc> nodes = new LinkedHashMap<>();
        nodes.put("first", lnetd.dlc());
        nodes.put("nobody", planned(List.of()));
        try (WebConsole console = console(nodes)) {
            browser().open(console.url());
            browser().awaitText("#reach", "answers");
            browser().awaitText(NIS, "127.0.1.66@tcp1");
            browser().awaitText(".plot .u-legend", "127.0.0.66@tcp");
            // The token is not in what is shown and copied.
            assertThat(browser().run("return location.href")).asString().doesNotContain("token");

            lnetd.dlc().execute(new TargetOperation.Discover(List.of("127.0.0.66@tcp"), false));
            browser().awaitText(PEERS, "127.0.0.99@tcp");
            browser().type("#search", "0.99");
            browser().click(PEERS + " .rows .line");
            browser().awaitText("#told", "127.0.0.99@tcp");
            browser().click("#tab-routes");
            browser().awaitText("#told", "tcp9");
            browser().click("#tab-doctor");
            browser().awaitText("#told", "error: gateway 127.0.0.99@tcp");

            browser().click("#tab-events");
            browser().awaitText("#told", "NI 127.0.0.66@tcp on lo is new");
            browser().awaitText("#told", "gateway 127.0.0.99@tcp is down");
            // What happens now comes by itself.
            lnetd.dlc().execute(new NetOperation.Set("tcp1", null, false, 400, null, null, null));
            browser().awaitText("#told", "NI 127.0.1.66@tcp1: health 1000 → 400");

            lnetd.kill();
            browser().awaitText("#reach", "does not answer");
            browser().awaitText("#why", "the figures are from before");
            browser().awaitText(NIS, "127.0.1.66@tcp1");
            browser().awaitText("#told", "no lnetd answers");
            lnetd = lnetd(port);
            browser().awaitText("#reach", "answers");
            browser().awaitText("#told", "lnetd answers again");
            // The new daemon is listened to as the old one was.
            lnetd.dlc().execute(new NetOperation.Set("tcp1", null, false, 300, null, null, null));
            browser().awaitText("#told", "NI 127.0.1.66@tcp1: health 1000 → 300");

            browser().run("location.hash = '#/node/1'");
            browser().awaitText(NIS, "10.0.0.1@tcp");
            assertThat(browser().log()).isEmpty();
        } finally {
            lnetd.close();
        }
    }

    @Test
    void tenThousandPeers() throws IOException {
        List<String> peers = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            peers.add("10.1." + i / 250 + "." + i % 250 + "@tcp");
        }
        try (WebConsole console = console(Map.of("big", planned(peers)))) {
            browser().open(console.url());
            browser().awaitText("#count", "10000 NIs");
            browser().awaitText(PEERS, "10.1.0.0@tcp");
            // Only what can be seen is there.
            assertThat(browser().count(PEERS + " .rows .line")).isLessThan(60);

            browser().click(PEERS);
            browser().type(PEERS, Keys.END);
            browser().awaitText(CHOSEN, "10.1.39.249@tcp");
            browser().awaitText("#told", "to 10.1.39.249@tcp");
            browser().type(PEERS, Keys.ARROW_UP);
            browser().awaitText(CHOSEN, "10.1.39.248@tcp");
            assertThat(browser()
                            .run("const table = document.querySelector(\"[aria-label='Peers']\");"
                                    + "return document.getElementById(table.getAttribute('aria-activedescendant'))"
                                    + ".textContent"))
                    .asString()
                    .contains("10.1.39.248@tcp");
            assertThat(browser().count(PEERS + " .rows .line")).isLessThan(60);

            // The most drops first, which the last peer has.
            browser().click(PEERS + " [role=columnheader]:nth-child(9) button");
            browser().type(PEERS, Keys.HOME);
            browser().awaitText(CHOSEN, "10.1.39.249@tcp");

            browser().run("document.querySelector(\"[aria-label='Peers']\").focus()");
            browser().type(PEERS, "/");
            assertThat(browser().run("return document.activeElement.id")).isEqualTo("search");
            browser().type("#search", "1.7.13@ tcp");
            browser().awaitText(PEERS, "10.1.7.13@tcp");
            browser().awaitText("#count", "1 of ");
            browser().clear("#search");
            browser().type("#search", "nobody");
            browser().awaitText(PEERS, "nothing fits the search");
            assertThat(browser().log()).isEmpty();
        }
    }

    @Test
    void nodesAndPeersAsAGraph() throws IOException {
        Map<String, Dlc> nodes = new LinkedHashMap<>();
        nodes.put("client", planned(List.of("10.0.0.7@tcp", "10.0.0.8@tcp")));
        nodes.put("nobody", _ -> {
            throw new UncheckedIOException(new IOException("Connection refused"));
        });
        try (WebConsole console = console(nodes)) {
            browser().open(console.url());
            browser().awaitText(PEERS, "10.0.0.8@tcp");
            browser().click("#pages [data-page=cluster]");
            browser().awaitText("#sum", "2 nodes, 1 of them down; 2 other peers");
            assertThat(browser().count("#graph a.well")).isEqualTo(3);
            assertThat(browser().count("#graph a.bad")).isEqualTo(1);
            assertThat(browser().count("#graph line.well")).isEqualTo(2);
            browser().run("location.href = document.querySelector(\"#graph a[aria-label^='10.0.0.8']\").href.baseVal");
            browser().awaitText("#told", "to 10.0.0.8@tcp");
            browser().awaitText(PEERS, "10.0.0.8@tcp");
            assertThat(browser().text(PEERS)).doesNotContain("10.0.0.7@tcp");
            // What was asked of the node that is not there is in the log of the browser, and nothing else.
            assertThat(browser().log()).allMatch(line -> line.contains("/api/routes?node=1"));
        }
    }

    @Test
    void namesAreNeverRead() throws IOException {
        String hostile = "<img src=x onerror='window.harm=1'><script>window.harm=1</script>";
        try (WebConsole console =
                console(Map.of(hostile, planned(List.of(hostile, "\"><svg onload=window.harm=1>"))))) {
            browser().open(console.url());
            browser().awaitText(PEERS, "<img src=x onerror");
            browser().awaitText("#node", "<script>");
            browser().click(PEERS + " .rows .line:nth-child(2)");
            browser().awaitText("#told", "<img src=x onerror='window.harm=1'><script>");
            assertThat(browser().count("img, svg, body script")).isZero();
            assertThat(browser().run("return window.harm === undefined")).isEqualTo(true);
            assertThat(browser().log()).isEmpty();
        }
    }

    /** A node that tells something again and again: more than a page keeps, and none of it is read as a page. */
    @Test
    void eventsAreTextAndAtMostSoMany() throws IOException {
        String hostile = "<img src=x onerror='window.harm=1'>";
        Dlc node = planned(List.of());
        Dlc talker = new Dlc() {
            @Override
            public Map<String, Object> execute(Operation operation) {
                return node.execute(operation);
            }

            @Override
            public void follow(EventsOperation.Show which, DocumentSink to) throws InterruptedException {
                for (int i = 1; i <= 1000; i++) {
                    to.take(event(i, hostile + " number " + i));
                }
                new Semaphore(0).acquire();
            }
        };
        try (WebConsole console = console(Map.of("talker", talker))) {
            browser().open(console.url());
            browser().awaitText("#reach", "answers");
            browser().click("#tab-events");
            browser().awaitText("#told li:first-child", hostile + " number 1000");
            assertThat(browser().count("#told li")).isLessThanOrEqualTo(200);
            assertThat(browser().count("#told img")).isZero();
            assertThat(browser().run("return window.harm === undefined")).isEqualTo(true);
            assertThat(browser().log()).isEmpty();
        }
    }

    private static Map<String, Object> event(int number, String text) {
        return new Doc()
                .put("number", number)
                .put("time", "2026-01-01T00:00:00Z")
                .put("kind", "message-dropped")
                .put("bad", true)
                .put("text", text)
                .map();
    }

    @Test
    void lightAndDark() throws IOException {
        try (WebConsole console = console(Map.of("one", planned(List.of())))) {
            browser().open(console.url());
            browser().awaitText("#scheme", "colors: auto");
            browser().click("#scheme");
            Object light = browser().run("return getComputedStyle(document.body).backgroundColor");
            browser().click("#scheme");
            browser().awaitText("#scheme", "colors: dark");
            assertThat(browser().run("return getComputedStyle(document.body).backgroundColor"))
                    .isNotEqualTo(light);
            browser().click("#scheme");
            // It fits without scrolling.
            assertThat(browser()
                            .run("return document.documentElement.scrollWidth <= innerWidth"
                                    + " && document.documentElement.scrollHeight <= innerHeight"))
                    .isEqualTo(true);
        }
    }
}
