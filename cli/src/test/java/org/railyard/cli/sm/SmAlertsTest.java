package org.railyard.cli.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.Program;

/** The alerts that come along for subnet managers, as Prometheus evaluates them. */
final class SmAlertsTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    @NeedsCommand("promtool")
    void aStandbyRaisesNoneAndEachThingThatIsWrongOne() throws IOException {
        take("sm.rules.yml");
        Files.copy(Path.of("src", "test", "resources", "sm-alerts.test.yml"), directory.resolve("alerts.test.yml"));
        promtool("test", "rules", "alerts.test.yml");
    }

    @Test
    @NeedsCommand("promtool")
    void theExampleOfAConfigurationReadsThem() throws IOException {
        take("sm.rules.yml");
        take("sm.prometheus.yml");
        assertThat(promtool("check", "config", "sm.prometheus.yml")).contains("1 rule files found");
        assertThat(Files.readString(directory.resolve("sm.prometheus.yml"))).contains("job_name: railyard-sm\n");
    }

    private void take(String file) throws IOException {
        Files.copy(Path.of("..", "dist", "service", file), directory.resolve(file));
    }

    /** Returns what it says; it has to find nothing. */
    private String promtool(String... arguments) {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(arguments));
        return Program.of(command).in(directory).run();
    }
}
