package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.cli.Main;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.Program;
import org.railyard.testkit.Requirement;

/** What is made of the list of commands. */
final class HelpTest {
    @Test
    @Requirement("doc-010")
    void eachCommandAndOptionIsInTheManualPage() {
        String page = ManPage.text();
        for (Command command : LnetctlCommands.list()) {
            assertThat(page).contains(".SS " + command.name().replace("-", "\\-"));
            for (Opt opt : command.options()) {
                assertThat(page).contains("\\-\\-" + opt.name().replace("-", "\\-"));
            }
        }
        assertThat(page.lines()).noneMatch(line -> line.startsWith("'"));
    }

    /** What man itself thinks of the pages. */
    @Test
    @NeedsCommand("man")
    @Requirement("doc-010")
    void manReadsAllPages(@TempDir Path dir) throws IOException {
        Path tool = Files.writeString(dir.resolve("lnetctl.8"), ManPage.text());
        StringWriter text = new StringWriter();
        assertThat(Main.run(new PrintWriter(text), new PrintWriter(text), "lnetd", "--man-page"))
                .isZero();
        Path daemon = Files.writeString(dir.resolve("lnetd.8"), text.toString());
        assertThat(shown(tool)).contains("LNETCTL(8)", "peer add [OPTION ...]", "--prim_nid NID", "RAILYARD_SOCKET");
        assertThat(shown(daemon))
                .contains("LNETD(8)", "--state DIR", "--param NAME=VALUE", "/etc/lnet.conf", "lnetctl(8)")
                .doesNotContain("@|")
                .contains("MODULE PARAMETERS OF O2IBLND", "limit of a transaction; 1", "lnet_retry_count");
        assertThat(shown(page(dir, "lst")))
                .contains("LST(8)", "lst add_test", "--concurrency N", "export LST_SESSION=$$");
        assertThat(shown(page(dir, "fabric"))).contains("RAILYARD-FABRIC(8)", "whatif", "--engine", "Exit status:");
        assertThat(shown(page(dir, "decode"))).contains("EXIT STATUS", "EXAMPLES", "--live eth0 --type put,get");
        assertThat(shown(page(dir, "discover"))).contains("EXIT STATUS", "NOTES", "railyard discover 10.0.0.5@tcp");
    }

    /** Also those whose line lacks what they need otherwise. */
    @ParameterizedTest
    @NeedsCommand("man")
    @CsvSource({
        "sm, --device",
        "lab, replay",
        "campaign, --resume",
        "console, --port",
        "decode, --live",
        "ping, --timeout",
        "mad, --path",
        "o2ib, --node",
        "explain, --config",
        "discover, --timeout",
        "demo, --json"
    })
    void eachCommandHasAPage(String command, String holds, @TempDir Path dir) throws IOException {
        assertThat(shown(page(dir, command))).contains("RAILYARD-" + command.toUpperCase(Locale.ROOT) + "(8)", holds);
    }

    private static Path page(Path dir, String command) throws IOException {
        StringWriter text = new StringWriter();
        assertThat(Main.run(new PrintWriter(text), new PrintWriter(text), command, "--man-page"))
                .isZero();
        return Files.writeString(dir.resolve(command + ".8"), text.toString());
    }

    private static String shown(Path page) {
        return run(Program.of("man", "--warnings", "-l", page.toString())
                .with("MANWIDTH", "100")
                .with("LC_ALL", "C")
                .with("MAN_KEEP_FORMATTING", "")
                .with("MANPAGER", "cat"));
    }

    private static String run(Program program) {
        String said = program.output();
        assertThat(said).doesNotContain(": warning: ", "error:");
        return said;
    }

    /** What bash offers behind a line, with a tool that knows two nets and a peer. */
    private static String offered(Path script, String line) {
        return run(Program.of(
                "bash",
                "--norc",
                "-c",
                "source \"$1\"; lnetctl() { case $1 in peer) echo '    - nid: 10.0.0.5@tcp' ;; *) printf '  -"
                        + " net type: %s\\n"
                        + "' lo tcp1 ;; esac; }; COMP_LINE=$2; COMP_POINT=${#2}; _lnetctl; echo"
                        + " \"${COMPREPLY[*]}\"; complete -p lnetctl",
                "bash",
                script.toString(),
                line));
    }

    @ParameterizedTest
    @NeedsCommand("bash")
    @CsvSource(
            delimiter = '|',
            value = {
                "lnetctl pe                      | peer",
                "lnetctl net                     | net net_status",
                "'lnetctl net '                  | add del show set",
                "'lnetctl fault drop '           | add del reset show",
                "lnetctl set retry_c             | retry_count retry_count_cap",
                "lnetctl net show --             | --net --verbose --help",
                "lnetctl net add --peer-b        | --peer-buffer-credits",
                "'lnetctl net show --net '       | lo tcp1",
                "lnetctl net show --n t          | tcp1",
                "lnetctl net show --n tcp1 --v   | --verbose",
                "lnetctl ping 10.0.0.            | 10.0.0.5@tcp",
                "lnetctl ping 10.0.0.5@t         | tcp",
                "lnetctl peer show --nid 10      | 10.0.0.5@tcp",
                "lnetctl fault drop add -m PUT --message A | ACK",
                "lnetctl import /etc/pass        | /etc/passwd",
                "lnetctl nonsense x              | ''"
            })
    void bashCompletes(String line, String expected, @TempDir Path dir) throws IOException {
        StringWriter out = new StringWriter();
        Session session = new Session(
                new BufferedReader(new StringReader("")), new PrintWriter(out), new PrintWriter(out), () -> {
                    throw new AssertionError("it needs no service");
                });
        Command command = Objects.requireNonNull(LnetctlCommands.find(List.of("completion")));
        assertThat(command.body().run(parsed("bash"), session)).isZero();
        Path script = Files.writeString(dir.resolve("script"), out.toString());
        List<String> said = offered(script, line).lines().toList();
        // Other machines have more files that begin so.
        assertThat(said.getFirst().replaceAll("/etc/passwd\\S+", "").strip()).isEqualTo(expected);
        assertThat(said.getLast()).isEqualTo("complete -F _lnetctl lnetctl");
        assertThat(command.body().run(parsed("csh"), session)).isEqualTo(Exit.FAILED);
        assertThat(out.toString()).contains("shell 'csh'; expected bash");
    }

    private static ParsedLine parsed(String word) {
        try {
            return ParsedLine.parse(List.of(), List.of(word));
        } catch (ParsedLine.UsageException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void eachCommandSaysWhatItDoes() {
        for (Command command : LnetctlCommands.list()) {
            assertThat(command.summary()).as(command.name()).isNotBlank();
            assertThat(command.usage()).startsWith("usage: lnetctl " + command.name());
            assertThat(command.usage().lines().skip(1)).allMatch(line -> line.length() <= UsageText.WIDTH);
        }
    }

    /** Each line of the overview fits on a terminal, and so does a line of a usage for most. */
    @Test
    @Requirement("doc-010")
    void linesOfTheOverviewAreShort() {
        StringWriter out = new StringWriter();
        for (List<String> about : List.of(List.of("--help"), List.of("help", "set"), List.of("set", "--help"))) {
            Lnetctl.run(
                    about,
                    new BufferedReader(new StringReader("")),
                    new PrintWriter(out),
                    new PrintWriter(out),
                    () -> "test",
                    () -> {
                        throw new AssertionError("it needs no service");
                    });
        }
        assertThat(out.toString().lines())
                .allMatch(line -> line.length() <= UsageText.WIDTH)
                .hasSizeGreaterThan(25);
        assertThat(out.toString()).contains("set              tunables of this node", "usage: lnetctl set NAME VALUE");
    }

    @Test
    void whatMayComeNextIsOffered() {
        assertThat(Interactive.offers(List.of()))
                .contains("net", "peer", "fault")
                .doesNotHaveDuplicates();
        assertThat(Interactive.offers(List.of("net"))).containsExactly("add", "del", "show", "set");
        assertThat(Interactive.offers(List.of("fault", "drop"))).containsExactly("add", "del", "reset", "show");
        assertThat(Interactive.offers(List.of("net", "show"))).containsExactly("--net", "--verbose", "--help");
        assertThat(Interactive.offers(List.of("nope"))).isEmpty();
    }

    @Test
    void wordsOfALine() {
        assertThat(Words.of("  a 'b c' \"d\\e\" f\\ g ''")).containsExactly("a", "b c", "d\\e", "f g", "");
        assertThat(Words.of(" ")).isEmpty();
    }
}
