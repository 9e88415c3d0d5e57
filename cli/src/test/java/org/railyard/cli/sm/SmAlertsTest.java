package org.railyard.cli.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.testkit.NeedsCommand;

/** The alerts that come along for subnet managers, as Prometheus evaluates them. */
final class SmAlertsTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    @NeedsCommand("promtool")
    void aStandbyRaisesNoneAndEachThingThatIsWrongOne() throws IOException, InterruptedException {
        Files.copy(Path.of("..", "dist", "service", "sm.rules.yml"), directory.resolve("sm.rules.yml"));
        Files.copy(Path.of("src", "test", "resources", "sm-alerts.test.yml"), directory.resolve("alerts.test.yml"));
        Process promtool = new ProcessBuilder("promtool", "test", "rules", "alerts.test.yml")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        promtool.getOutputStream().close();
        String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(promtool.waitFor()).as(said).isZero();
    }
}
