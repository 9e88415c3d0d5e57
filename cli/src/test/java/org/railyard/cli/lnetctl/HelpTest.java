package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.testkit.Requirement;

/** What is made of the list of commands. */
final class HelpTest {
    @Test
    @Requirement("doc-010")
    void eachCommandAndOptionIsInTheManualPage() {
        String page = ManPage.text();
        for (Command command : Commands.list()) {
            assertThat(page).contains(".SS " + command.name().replace("-", "\\-"));
            for (Opt opt : command.options()) {
                assertThat(page).contains("\\-\\-" + opt.name().replace("-", "\\-"));
            }
        }
        assertThat(page.lines()).noneMatch(line -> line.startsWith("'"));
    }

    @Test
    void eachCommandSaysWhatItDoes() {
        for (Command command : Commands.list()) {
            assertThat(command.summary()).as(command.name()).isNotBlank();
            assertThat(command.usage()).startsWith("usage: lnetctl " + command.name());
        }
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
