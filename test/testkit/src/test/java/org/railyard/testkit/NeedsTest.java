package org.railyard.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.io.TempDir;

final class NeedsTest {
    @Test
    void runsWhenNothingIsMissing() {
        assertThat(NeedsCondition.decide(List.of(), true).isDisabled()).isFalse();
        assertThat(NeedsCondition.decide(List.of(), false).isDisabled()).isFalse();
    }

    @Test
    void skipsWithTheReason() {
        var result = NeedsCondition.decide(List.of("root", "the command tshark"), false);
        assertThat(result.isDisabled()).isTrue();
        assertThat(result.getReason()).contains("needs root, the command tshark");
    }

    @Test
    void failsWhereEverythingMustRun() {
        assertThatThrownBy(() -> NeedsCondition.decide(List.of("the command tshark"), true))
                .isInstanceOf(ExtensionConfigurationException.class)
                .hasMessageContaining("needs the command tshark")
                .hasMessageContaining("CI=true");
    }

    @Test
    void findsOnlyExecutableFilesOnThePath(@TempDir Path empty, @TempDir Path full) throws IOException {
        assertThat(Files.createFile(full.resolve("tool")).toFile().setExecutable(true))
                .isTrue();
        Files.createFile(full.resolve("text"));
        String path = empty + File.pathSeparator + File.pathSeparator + full;
        assertThat(Machine.hasCommand("tool", path)).isTrue();
        assertThat(Machine.hasCommand("text", path)).isFalse();
        assertThat(Machine.hasCommand("tool", empty.toString())).isFalse();
        assertThat(Machine.hasCommand("tool", "")).isFalse();
    }

    @Test
    @NeedsCommand("sh")
    void theAnnotationLetsATestRunWhoseProgramIsThere() {
        assertThat(Machine.hasCommand("sh", System.getenv("PATH"))).isTrue();
    }

    @Test
    @NeedsFile("/")
    void theAnnotationLetsATestRunWhoseFileIsThere() {
        assertThat(Path.of("/")).exists();
    }
}
