package org.railyard.itest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.itest.kit.Command;
import org.railyard.itest.kit.Loopback;
import org.railyard.testkit.Requirement;

/** {@code railyard demo}: the first thing a person tries. */
final class DemoTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    @Requirement({"mrx-003", "mrx-004", "snd-080", "mrx-017"})
    void losesNothingWhileARailIsCut() throws IOException {
        Path json = folder.resolve("figures.json");
        Command demo = Command.run(
                "demo", "--seconds", "3", "--port", Integer.toString(Loopback.freePort()), "--json", json.toString());
        assertThat(demo.exit()).as("%s", demo).isZero();
        assertThat(demo.out())
                .contains(
                        "both rails",
                        "rail 1 cut",
                        "rail 1 back",
                        "rail 1 silent",
                        "rail 1 heard",
                        " 0 lost",
                        " 0 delivered twice");
        // JSON is YAML.
        assertThat(Shape.parse(Files.readString(json)))
                .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
                .containsEntry("lost", 0)
                .containsEntry("wrong", 0)
                .containsEntry("delivered_twice", 0)
                .containsKeys(
                        "transactions", "resends", "timed_out", "repeats", "bytes", "seconds", "gigabytes_per_second")
                .satisfies(figures -> assertThat((Integer) ((Map<?, ?>) figures).get("transactions"))
                        .isPositive());
    }
}
