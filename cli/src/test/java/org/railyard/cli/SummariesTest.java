package org.railyard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** What stands beside the name of a command in a list of commands. */
final class SummariesTest {
    /** A list of commands is read at a glance, on a terminal of usual width. */
    private static final int MAX = 80;

    @Test
    void eachCommandSaysInOneShortLineWhatItDoes() {
        Map<String, String> summaries = new TreeMap<>();
        for (CommandProvider provider : Commands.all()) {
            collect(new CommandLine(provider.command()).getCommandSpec(), summaries);
        }
        assertThat(summaries)
                .hasSizeGreaterThan(40)
                .allSatisfy((name, summary) -> assertThat(summary)
                        .as(name)
                        .isNotBlank()
                        .hasSizeLessThanOrEqualTo(MAX)
                        .matches("[A-Z].*[.:)]?"));
    }

    private static void collect(CommandSpec command, Map<String, String> into) {
        String[] description = command.usageMessage().description();
        into.put(command.qualifiedName(), description.length == 0 ? "" : description[0]);
        command.subcommands().values().forEach(each -> collect(each.getCommandSpec(), into));
    }

    @Test
    void soDoesEachOfLnetctl() {
        StringWriter out = new StringWriter();
        Main.run(new PrintWriter(out), new PrintWriter(out), "lnetctl", "--help");
        List<String> commands =
                out.toString().lines().filter(line -> line.startsWith("  ")).toList();
        assertThat(commands)
                .hasSizeGreaterThan(25)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(MAX + 20));
    }
}
