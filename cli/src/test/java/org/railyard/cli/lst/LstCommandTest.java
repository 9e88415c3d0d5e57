package org.railyard.cli.lst;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.node.Daemon;
import org.railyard.node.DaemonOptions;
import picocli.CommandLine;

/** The commands of the test tool against two daemons that talk over sockets. */
class LstCommandTest {
    private static final String A = "127.0.0.81@tcp";
    private static final String B = "127.0.0.82@tcp";

    @TempDir
    private Path dir = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<Daemon> daemons = new ArrayList<>();
    private final int port = freePort();

    private static int freePort() {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(0));
            return probe.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @BeforeEach
    void start() throws IOException {
        daemons.add(daemon("a", A, true));
        daemons.add(daemon("b", B, true));
    }

    private Daemon daemon(String name, String nid, boolean selftest) throws IOException {
        Path file = Files.writeString(dir.resolve(name + ".yaml"), """
            net:
                - net type: tcp
                  local NI(s):
                    - nid: %s
            """.formatted(nid));
        return new Daemon(new DaemonOptions(
                file,
                true,
                dir.resolve(name + ".sock"),
                null,
                null,
                false,
                null,
                true,
                selftest,
                Map.of("accept", "all", "accept_port", String.valueOf(port))));
    }

    @AfterEach
    void stop() {
        daemons.forEach(Daemon::close);
    }

    private int on(String node, String key, String... words) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        Map<String, String> environment =
                Map.of("RAILYARD_SOCKET", dir.resolve(node + ".sock").toString(), "LST_SESSION", key);
        return new CommandLine(new LstCommand(environment))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words);
    }

    private String done(String... words) {
        assertThat(on("a", "7", words)).as(List.of(words) + ": " + err).isZero();
        return out.toString();
    }

    private String refused(int exit, String... words) {
        assertThat(on("a", "7", words)).as(List.of(words) + ": " + out).isEqualTo(exit);
        return err.toString();
    }

    @Test
    void aSessionFromItsBeginningToItsEnd() throws IOException {
        assertThat(refused(1, "list_group")).contains("there is no session");
        assertThat(done("new_session", "--timeout", "60", "first"))
                .contains("SESSION: first")
                .contains("TIMEOUT: 60")
                .contains("FEATURES: 1 ");
        assertThat(done("show_session"))
                .contains("first ID: " + A)
                .contains("KEY: 7")
                .contains("FEATURES: 1,");
        assertThat(done("add_group", "c", A)).contains("1 of 1 nodes");
        assertThat(refused(1, "add_group", "s", B, "127.0.0.83@tcp")).contains("127.0.0.83@tcp: E");
        assertThat(out.toString()).contains("1 of 2 nodes");
        assertThat(done("list_group"))
                .contains("c: 1 node" + System.lineSeparator())
                .contains("s: 2 nodes");
        assertThat(done("list_group", "s", "--all")).contains("1\t0\t1\t0\t2").contains(B + ": active");
        assertThat(done("update_group", "--clean", "down", "s")).contains("1 nodes taken out");
        refused(1, "add_group", "both", A, B, "127.0.0.83@tcp");
        assertThat(done("update_group", "--clean", "down", "--remove", B, "both")
                        .lines())
                .as("the one that is down, and the one that is named")
                .containsExactly("1 nodes taken out of both", "1 nodes taken out of both");
        assertThat(done("list_group", "both", "--all")).contains(A + ": active").doesNotContain(B);
        assertThat(done("ping", "--session"))
                .contains(A + ": Active [session: first")
                .contains(B + ": Active");
        done("add_batch", "b1");
        done(
                "add_test",
                "--batch",
                "b1",
                "--concurrency",
                "4",
                "--from",
                "c",
                "--to",
                "s",
                "brw",
                "write",
                "size=64K",
                "check=full");
        done("add_test", "--batch", "b1", "--loop", "5", "--from", "s", "--to", "c", "ping");
        assertThat(done("list_batch")).contains("batch").contains("b1");
        assertThat(done("list_batch", "b1"))
                .contains("Tests: 2")
                .contains("write 65536 B, check full")
                .contains("loop: 5");
        assertThat(done("run", "b1")).contains("b1 is running");
        assertThat(done("stat", "--count", "1", "--delay", "1", "s", A))
                .contains("[LNet Rates of s]")
                .contains("[LNet Bandwidth of " + A + "]")
                .containsPattern("\\[R\\] Avg: [1-9][0-9]* +RPC/s");
        assertThat(done("stat", "--count", "1", "--delay", "1", "--json", "s"))
                .startsWith("{\"s\":{\"nodes\":{\"" + B + "\":{\"received_rpcs_per_s\":")
                .contains("\"no_answer\":[]}}");
        assertThat(done("list_group", "--json")).startsWith("{\"groups\":[{\"name\":");
        assertThat(done("list_batch", "--json")).startsWith("{\"batches\":[{\"name\":");
        assertThat(done("show_session", "--json")).startsWith("{\"name\":");
        assertThat(done("query", "--json", "b1")).contains("\"state\":\"running\"", "\"nid\":");
        assertThat(done("show_error", "--json", "s")).startsWith("{\"s\":{\"nodes\":[");
        assertThat(done("ping", "--group", "s", "--json")).startsWith("{\"nodes\":[{\"");
        done("stat", "--count", "2", "--delay", "1", "--report", dir.toString(), "s");
        assertThat(Files.readString(dir.resolve("lst-stat.html")))
                .contains("stat --count 2 --delay 1 --report " + dir + " s", "Bandwidth of s", "sent, MiB/s")
                .contains(B, "2 looks", "<polyline class=\"line1\"");
        assertThat(done("query", "b1", "--all")).contains("b1 [1] is running").contains(A + ": running");
        assertThat(done("stop", "b1")).contains("b1 is stopped");
        assertThat(done("query", "b1")).contains("b1 [0] is stopped");
        assertThat(refused(1, "query", "--test", "9", "b1")).contains(A + ": ENOENT");
        assertThat(out.toString()).contains("b1 [0] is unknown");
        assertThat(done("show_error", "--session", "c", "s")).contains("Total 0 error nodes in c");
        done("end_session");
        assertThat(refused(1, "show_session")).contains("there is no session");
    }

    @Test
    void mistakesAreTold() {
        done("new_session", "first");
        assertThat(refused(1, "new_session", "second")).contains("first", "--force");
        assertThat(refused(2, "new_sessio", "x")).contains("new_session");
        assertThat(refused(2)).contains("a command is missing");
        assertThat(refused(1, "add_group", "g", "nonsense")).contains("nonsense");
        assertThat(refused(1, "run", "none")).contains("no batch 'none'");
        assertThat(refused(2, "add_test", "--from", "c", "--to", "s", "brw", "sideways"))
                .contains("sideways");
        assertThat(refused(2, "add_test", "--from", "c", "--to", "s", "brw", "size=1G"))
                .contains("1G");
        assertThat(refused(2, "add_test", "--from", "c", "--to", "s", "ping", "size=1"))
                .contains("takes no more words");
        assertThat(refused(2, "add_test", "--distribute", "1", "--from", "c", "--to", "s", "ping"))
                .contains("N:M");
        assertThat(refused(2, "add_test", "--from", "c", "--to", "s", "fly")).contains("expected ping or brw");
        assertThat(refused(1, "list_group", "none")).contains("no group 'none'");
        assertThat(refused(1, "list_batch", "none")).contains("no batch 'none'");
        assertThat(refused(2, "update_group", "g")).contains("--refresh, --clean or --remove");
        assertThat(refused(2, "new_session", "--timeout", "-5", "x")).contains("--timeout -5: expected 0 or more");
        assertThat(refused(2, "ping", "--session", "--timeout", "99")).contains("--timeout 99: expected 3 to 30");
        assertThat(refused(2, "stat", "--count", "0", "g")).contains("--count 0");
        assertThat(refused(2, "stat", "--report", dir.toString(), "g")).contains("--report needs --count");
        assertThat(refused(2, "query", "--loop", "0")).contains("--loop 0: expected 1 or more");
        assertThat(refused(2, "ping")).contains("whom?");
        assertThat(on("a", "8", "list_group")).isEqualTo(1);
        assertThat(err.toString())
                .contains("the session 'first' has another key, 7, than this command, 8")
                .contains("export LST_SESSION=7");
        assertThat(on("a", "", "list_group")).isEqualTo(1);
        assertThat(err.toString())
                .contains("LST_SESSION is not set, which counts as key 0")
                .contains("export LST_SESSION=7");
        assertThat(on("a", "seven", "list_group")).isEqualTo(2);
        assertThat(err.toString()).contains("expected a number");
        assertThat(on("nobody", "7", "list_group")).isEqualTo(1);
        assertThat(err.toString()).contains("no lnetd answers");
    }

    @Test
    void theExampleOfTheHelpCanBeTyped() {
        assertThat(new CommandLine(new LstCommand(Map.of())).getUsageMessage())
                .contains("export LST_SESSION=$$" + System.lineSeparator());
    }

    /** A node that dies in the middle is named, once, and the others are shown. */
    @Test
    void ratesGoOnWithoutANodeThatDied() {
        done("new_session", "first");
        done("add_group", "s", A, B);
        daemons.getLast().close();
        assertThat(on("a", "7", "stat", "--count", "2", "--delay", "1", "--timeout", "3", "--bw", "s"))
                .isEqualTo(1);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("lst: " + B + ": E")
                .endsWith("going on without it");
        assertThat(out.toString().lines().filter(line -> line.equals("[no answer] " + B)))
                .hasSize(2);
        assertThat(out.toString().lines().filter(line -> line.startsWith("[R] Avg: ")))
                .hasSize(2);
    }

    @Test
    void aDaemonWithoutSelftestSaysSo() throws IOException {
        try (Daemon plain = daemon("plain", "127.0.0.84@tcp", false)) {
            assertThat(plain.socket()).exists();
            assertThat(on("plain", "7", "new_session", "x")).isEqualTo(1);
            assertThat(err.toString()).contains("lnetd --selftest");
        }
    }
}
