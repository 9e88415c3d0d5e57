package org.railyard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class CommandsTest {
    private static List<String> needed(String... args) {
        return names(Commands.neededFor(args));
    }

    private static List<String> names(List<CommandProvider> commands) {
        return commands.stream()
                .map(provider -> new CommandLine(provider.command()).getCommandName())
                .toList();
    }

    @Test
    void aLineThatNamesACommandNeedsThatOneAlone() {
        assertThat(names(Commands.all())).contains("fabric", "sm", "completion");
        for (String name : names(Commands.all())) {
            List<String> needed = needed(name, "--help");
            assertThat(needed).contains(name);
            // Those of other modules are found together, and the script for a shell knows all.
            assertThat(needed.size() == 1)
                    .isEqualTo(!List.of("completion", "bench").contains(name));
        }
    }

    @Test
    void optionsBeforeACommandMakeNoDifference() {
        assertThat(needed("-vv", "--debug", "-v", "fabric", "show")).containsExactly("fabric");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--help", "-h", "--man-page", "fabrik", "-v", "-vx", "--debug=true"})
    void whatNamesNoCommandNeedsAll(String word) {
        assertThat(needed(word)).isEqualTo(names(Commands.all()));
    }

    @Test
    void nothingNeedsAll() {
        assertThat(needed()).isEqualTo(names(Commands.all()));
    }

    private static Set<String> subcommandsOf(String... args) {
        return new CommandLine(Commands.neededFor(args).getFirst().command())
                .getSubcommands()
                .keySet();
    }

    @Test
    void ofTheManyCommandsAboutFabricsTheOneThatIsNamedIsMadeAlone() {
        Set<String> all = subcommandsOf("fabric", "--help");
        assertThat(all).contains("show", "route", "generate");
        for (String name : all) {
            assertThat(subcommandsOf("--debug", "fabric", name, "--help")).containsExactly(name);
        }
        assertThat(subcommandsOf("fabric")).isEqualTo(all);
        assertThat(subcommandsOf("fabric", "-v", "route")).isEqualTo(all);
        assertThat(subcommandsOf("fabric", "rout")).isEqualTo(all);
    }

    @Test
    void ofTheCommandsOfASubnetManagerThoseThatAreNamedAreMadeAlone() {
        Set<String> all = subcommandsOf("sm", "--help");
        assertThat(all).contains("plan", "status", "relink");
        for (String name : all) {
            assertThat(subcommandsOf("sm", name)).containsExactly(name);
            assertThat(subcommandsOf("sm", "--socket", "here", name)).containsExactly(name);
            assertThat(subcommandsOf("sm", name, "--help")).isEqualTo(all);
        }
        assertThat(subcommandsOf("sm", "--device", "any")).isEmpty();
        assertThat(subcommandsOf("sm")).isEqualTo(all);
        assertThat(subcommandsOf("sm", "statsu")).isEqualTo(all);
    }
}
