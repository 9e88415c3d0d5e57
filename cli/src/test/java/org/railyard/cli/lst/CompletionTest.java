package org.railyard.cli.lst;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.Program;
import picocli.CommandLine;

/** What bash offers behind the words of a command line of lst. */
class CompletionTest {
    /** The tool with a session of two groups and two batches. */
    private static final String TOOL = """
        lst() {
            case $1 in
                list_group) printf '%s\n' 'clients: 4 nodes' 'servers: 2 nodes' 'spare nodes: 1 nodes' ;;
                list_batch) printf '%s\n' batch bulk ;;
            esac
        }
        """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int complete(String shell) {
        return new CommandLine(new LstCommand(Map.of()))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute("completion", shell);
    }

    private String offered(Path dir, String line) throws IOException {
        Path script = Files.writeString(dir.resolve("script"), out + TOOL);
        String said = Program.of(
                        "bash",
                        "--norc",
                        "-c",
                        "source \"$1\"; COMP_LINE=$2; COMP_POINT=${#2}; _lst; printf '%s\n"
                                + "' \"${COMPREPLY[*]}\"; complete -p lst",
                        "bash",
                        script.toString(),
                        line)
                .output();
        assertThat(said).endsWith("complete -F _lst lst\n");
        return said.lines().findFirst().orElse("");
    }

    @ParameterizedTest
    @NeedsCommand("bash")
    @CsvSource(
            delimiter = '|',
            value = {
                "lst del_                                | del_group",
                "'lst del_group '                        | clients servers spare\\ nodes",
                "lst list_group s                        | servers spare\\ nodes",
                "lst stat --count 3 --bw cl              | clients",
                "'lst stat clients '                     | clients servers spare\\ nodes",
                "lst add_test --batch bu                 | bulk",
                "'lst add_test --batch bulk --from '     | clients servers spare\\ nodes",
                "lst add_test --from clients --to se     | servers",
                "lst add_test --from clients brw check=s | simple",
                "lst add_test --fr                       | --from",
                "lst ping --group c                      | clients",
                "lst update_group --clean d              | down",
                "lst run b                               | batch bulk",
                "'lst run --timeout '                    | ''",
                "'lst new_session '                      | ''",
                "lst nonsense x                          | ''"
            })
    void bashCompletes(String line, String expected, @TempDir Path dir) throws IOException {
        assertThat(complete("bash")).isZero();
        assertThat(offered(dir, line)).isEqualTo(expected);
    }

    @Test
    @NeedsCommand("bash")
    void withoutASessionOnlyWordsAreOffered(@TempDir Path dir) throws IOException {
        assertThat(complete("bash")).isZero();
        out.append("lst() { echo 'lst: there is no session' >&2; return 1; }\n");
        Path script = dir.resolve("script");
        Files.writeString(script, out.toString());
        String said = Program.of(
                        "bash",
                        "--norc",
                        "-c",
                        "source \"$1\"; COMP_LINE='lst run '; COMP_POINT=8; _lst; echo \"${#COMPREPLY[@]}\"",
                        "bash",
                        script.toString())
                .output();
        assertThat(said).isEqualTo("0\n");
    }

    @Test
    void anotherShellIsRefused() {
        assertThat(complete("csh")).isEqualTo(2);
        assertThat(err.toString()).contains("no completion for shell 'csh', expected bash");
    }
}
