package org.railyard.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.railyard.cli.Main;

/** What the README tells people to type exists. */
final class ReadmeTest {
    /** Commands that the README tells about and that are still being written. */
    private static final Set<String> STILL_TO_COME = Set.of("ping", "discover", "demo", "decode", "bench");

    private static final Pattern COMMAND = Pattern.compile("^\\s*\\./railyard ([a-z]+)");

    private static boolean exists(String command) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return Main.run(nowhere, nowhere, command, "--help") == 0;
    }

    @Test
    void everyCommandOfTheReadmeExists() {
        Set<String> missing = new TreeSet<>();
        Set<String> found = new TreeSet<>();
        for (String line : SourceTree.lines(Path.of("README.md"))) {
            Matcher matcher = COMMAND.matcher(line);
            if (matcher.find() && found.add(matcher.group(1)) && !exists(matcher.group(1))) {
                missing.add(matcher.group(1));
            }
        }
        assertThat(found).as("commands in the README").isNotEmpty();
        missing.removeAll(STILL_TO_COME);
        assertThat(missing).as("in the README, but railyard has no such command").isEmpty();
    }

    @Test
    void commandsThatCameAreNoLongerListedAsMissing() {
        assertThat(STILL_TO_COME).noneMatch(ReadmeTest::exists);
    }
}
