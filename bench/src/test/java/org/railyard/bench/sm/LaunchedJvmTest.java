package org.railyard.bench.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaunchedJvmTest {
    /** Else its methods would be compiled otherwise than those of a subnet manager that a launcher starts. */
    @Test
    void isTheOneOfSubnetManagersAlsoWhereABenchmarkStartsIt() {
        List<String> command = LaunchedJvm.command(
                "/jdk/bin/java",
                List.of(
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-AOTReplayTraining",
                        "-XX:+UseSerialGC",
                        "-XX:AOTCache=/cache.aot",
                        "-m",
                        "org.railyard.cli/org.railyard.cli.Main"));
        assertThat(command)
                .startsWith("/jdk/bin/java", "-XX:TieredStopAtLevel=1")
                .contains("-XX:-AOTReplayTraining", "-XX:+UseSerialGC", "-XX:AOTCache=/cache.aot")
                .endsWith("-m", "org.railyard.cli/org.railyard.cli.Main");
    }

    @Test
    void hasTheCacheOfSubnetManagersWhereThereIsOne(@TempDir Path folder) throws IOException {
        String all = "-XX:AOTCache=" + folder.resolve("classes.aot");
        assertThat(LaunchedJvm.command("java", List.of(all))).endsWith(all);
        Path own = Files.createFile(folder.resolve("classes-sm.aot"));
        assertThat(LaunchedJvm.command("java", List.of(all))).endsWith("-XX:AOTCache=" + own);
    }
}
