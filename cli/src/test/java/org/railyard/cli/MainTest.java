package org.railyard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.proven.EngineName;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.Program;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

final class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        List<CommandProvider> commands = new ArrayList<>(Commands.all());
        commands.add(Signal::new);
        commands.add(Passing::new);
        return Main.run(commands, new PrintWriter(out), new PrintWriter(err), args);
    }

    @Test
    void tellsVersionAndBuild() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).matches("railyard \\d+\\.\\d+\\.\\d+\\S*\\R(commit \\S+, )?Java \\S+ on .+\\R");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void helpListsCommandsUnderTheirHeadings() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .containsSubsequence(
                        CommandGroup.MEASUREMENT.heading(),
                        "signal",
                        "Set a signal",
                        CommandGroup.SHELL.heading(),
                        "completion");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void commandsGetAHelpOption() {
        assertThat(run("signal", "--help")).isZero();
        assertThat(out.toString()).contains("Usage: railyard signal", "--throw", "--help");
    }

    @Test
    void aCommandThatPassesWordsOnGetsAllOfThem() {
        assertThat(run("passing", "CardCall", "-i", "3")).isEqualTo(3);
    }

    /** As letters that the locale has not. */
    @Test
    void whatCanBeNoNameOfAFileIsCalledThat() {
        assertThat(run("fabric", "verify", "a\0b")).isEqualTo(2);
        assertThat(err.toString())
                .contains("can not be the name of a file here", "LC_ALL=C.UTF-8")
                .doesNotContain("java.");
    }

    /** As a variable of a script that is not set. */
    @Test
    void anEmptyNameOfAFileIsCalledThat() {
        assertThat(run("fabric", "verify", "")).isEqualTo(2);
        assertThat(err.toString())
                .contains("'' can not be the name of a file here (it is empty); name one")
                .doesNotContain("LC_ALL");
    }

    @Test
    void withoutACommandShowsHelpAndFails() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("Usage: railyard");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void anUnknownCommandIsOneLineWithTheClosestMatch() {
        assertThat(run("signall", "--throw", "x")).isEqualTo(2);
        assertThat(err.toString()).hasLineCount(1).contains("unknown command 'signall'", "did you mean 'signal'?");
    }

    @Test
    void anUnknownCommandIsToldOfBeforeWhatFollowsACommandBehindIt() {
        assertThat(run("nosuch", "signal", "--foo")).isEqualTo(2);
        assertThat(err.toString()).hasLineCount(1).contains("unknown command 'nosuch'", "'railyard --help'");
    }

    @Test
    void aCommandThatIsFarOffIsNotSuggested() {
        assertThat(run("sighting")).isEqualTo(2);
        assertThat(err.toString())
                .hasLineCount(1)
                .contains("unknown command 'sighting'")
                .doesNotContain("did you mean");
    }

    @Test
    void aCommandOfLnetctlIsNamedWithIt() {
        assertThat(run("doctor")).isEqualTo(2);
        assertThat(err.toString()).hasLineCount(1).contains("unknown command 'doctor', did you mean 'lnetctl doctor'?");
    }

    @Test
    void aSubcommandThatWasNotMadeForTheLineIsSuggested() {
        String[] line = {"sm", "--device", "any", "statsu"};
        assertThat(Main.run(new PrintWriter(out), new PrintWriter(err), line)).isEqualTo(2);
        assertThat(err.toString())
                .hasLineCount(1)
                .contains("unknown command 'statsu'", "did you mean 'status'?", "'railyard sm --help'");
    }

    @Test
    void anUnknownCommandIsNotForgivenBesideHelp() {
        assertThat(run("singal", "--help")).isEqualTo(2);
        assertThat(err.toString()).hasLineCount(1).contains("unknown command 'singal'");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void anUnknownOptionIsOneLine() {
        assertThat(run("signal", "--thorw")).isEqualTo(2);
        assertThat(err.toString())
                .hasLineCount(1)
                .contains("unknown option '--thorw'", "did you mean '--throw'?", "'railyard signal --help'");
    }

    @Test
    void whatIsMissingOrNoNumberIsSaidInOwnWords() {
        assertThat(run("fabric", "verify")).isEqualTo(2);
        assertThat(err.toString()).contains("railyard: DIR, --topology or --live is missing; see");
        assertThat(run("fabric", "generate", "torus")).isEqualTo(2);
        assertThat(err.toString()).contains("railyard: XxYxZ is missing; see");
        assertThat(run("campaign", "--resume")).isEqualTo(2);
        assertThat(err.toString()).contains("railyard: option '--resume' needs DIR; see");
        assertThat(run("fabric", "verify", "--conf", "--json")).isEqualTo(2);
        assertThat(err.toString()).contains("railyard: option '--conf' needs FILE, found '--json'; see");
        assertThat(run("decode", "--portal", "x", "file")).isEqualTo(2);
        assertThat(err.toString()).contains("'x' is no whole number, or too large; see");
        assertThat(run("lnetd", "--param", "foo")).isEqualTo(2);
        assertThat(err.toString()).contains("--param foo: expected NAME=VALUE; see");
    }

    @Test
    void theExitCodeOfTheCommandIsPassedOn() {
        assertThat(run("signal", "--exit", "7")).isEqualTo(7);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aFailureIsOneLineWithItsErrno() {
        assertThat(run("signal", "--throw", "lnet")).isEqualTo(1);
        assertThat(err.toString()).isEqualToIgnoringNewLines("railyard: EPERM: port 988: run as root");
    }

    @Test
    void aMissingFileIsNamed() {
        assertThat(run("signal", "--throw", "file")).isEqualTo(1);
        assertThat(err.toString()).isEqualToIgnoringNewLines("railyard: ENOENT: no such file: x.pcap");
    }

    @Test
    void aDefectSaysSoAndCanNotForgeLines() {
        assertThat(run("signal", "--throw", "defect")).isEqualTo(1);
        assertThat(err.toString())
                .hasLineCount(1)
                .contains("internal error", "IllegalStateException", "a\\nb\\u001b[31m", "--debug");
    }

    @Test
    void debugShowsTheStackTrace() {
        assertThat(run("--debug", "signal", "--throw", "lnet")).isEqualTo(1);
        assertThat(err.toString()).contains("EPERM", "\tat ");
        err.getBuffer().setLength(0);
        assertThat(run("signal", "--throw", "lnet", "--debug")).isEqualTo(1);
        assertThat(err.toString()).contains("\tat ");
    }

    @Test
    void printsACompletionScript() {
        assertThat(run("completion", "bash")).isZero();
        assertThat(out.toString()).contains("complete -F", "signal");
        assertThat(run("completion", "csh")).isEqualTo(2);
        assertThat(err.toString()).hasLineCount(1).contains("csh", "bash, zsh");
    }

    @ParameterizedTest
    @NeedsCommand("bash")
    @CsvSource({
        "lab run torus, torus-switch-failure",
        "lab replay rail, rail-down",
        "lab show nic, 'no files\nnic-failure-storm'",
        "campaign lab rail, rail-down",
    })
    void scenariosAreCompleted(String line, String expected, @TempDir Path dir) throws IOException {
        assertThat(completed(line, dir)).isEqualTo(expected);
    }

    @ParameterizedTest
    @NeedsCommand("bash")
    @ValueSource(
            strings = {"sm --engine", "sm plan --engine", "fabric route t.net --engine", "campaign failures --engine"})
    void enginesAreCompleted(String line, @TempDir Path dir) throws IOException {
        String all = Stream.of(EngineName.values()).map(EngineName::text).collect(Collectors.joining(" "));
        assertThat(completed(line + " ''", dir)).isEqualTo("no files\n" + all);
        assertThat(completed(line + " opensm", dir)).isEqualTo("no files\nopensm-torus");
    }

    /** Returns what bash offers for the last word of a line, after "no files" if it offers no files. */
    private String completed(String line, Path dir) throws IOException {
        assertThat(run("completion", "bash")).isZero();
        Path script = Files.writeString(dir.resolve("script"), out.toString());
        String said = Program.of(
                        "bash",
                        "--norc",
                        "-c",
                        "source \"$1\"; compopt() { echo no files; }; eval \"COMP_WORDS=(railyard $2)\";"
                            + " COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _complete_railyard; echo \"${COMPREPLY[*]}\"",
                        "bash",
                        script.toString(),
                        line)
                .output();
        return said.strip();
    }

    @Test
    void outputForAFileHasNoColours() {
        run("--help");
        assertThat(out.toString()).doesNotContain("\u001b");
    }

    /** Ends as it is told to. */
    @Command(name = "signal", description = "Set a signal")
    static final class Signal implements Callable<Integer>, CommandProvider {
        @Option(names = "--exit")
        private int exit;

        @Option(names = "--throw")
        private String failure = "";

        @Override
        public Object command() {
            return this;
        }

        @Override
        public Integer call() throws IOException {
            return switch (failure) {
                case "lnet" -> throw new ErrnoException(Errno.EPERM, "port 988: run as root");
                case "file" -> throw new NoSuchFileException("x.pcap");
                case "defect" -> throw new IllegalStateException("a\nb\u001b[31m");
                default -> exit;
            };
        }
    }

    /** Takes whatever there is, for another program, and counts it. */
    @Command(name = "passing", description = "Pass words on")
    static final class Passing implements Callable<Integer>, CommandProvider {
        @Unmatched
        private List<String> words = new ArrayList<>();

        @Override
        public Object command() {
            return this;
        }

        @Override
        public Integer call() {
            return words.size();
        }
    }
}
