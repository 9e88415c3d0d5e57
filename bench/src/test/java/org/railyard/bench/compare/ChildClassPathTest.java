package org.railyard.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildClassPathTest {
    @TempDir
    private Path directory;

    private static String join(Object... entries) {
        return String.join(
                File.pathSeparator, Arrays.stream(entries).map(Object::toString).toList());
    }

    @Test
    void directoriesOfModulesAreReplacedByTheirModules() throws Exception {
        Path jars = Files.createDirectory(directory.resolve("lib"));
        Path b = Files.createFile(jars.resolve("b.jar"));
        Path a = Files.createFile(jars.resolve("a.jar"));
        Files.createFile(jars.resolve("readme.txt"));
        Path unpacked = Files.createDirectory(jars.resolve("c"));
        Files.createFile(unpacked.resolve("module-info.class"));
        assertThat(ChildClassPath.of(jars.toString(), "")).isEqualTo(join(a, b, unpacked));
    }

    @Test
    void jarsAndUnpackedModulesStayAndTheClassPathFollows() throws Exception {
        Path jar = Files.createFile(directory.resolve("x.jar"));
        Path unpacked = Files.createDirectory(directory.resolve("classes"));
        Files.createFile(unpacked.resolve("module-info.class"));
        assertThat(ChildClassPath.of(join(unpacked, jar), join("y.jar", jar))).isEqualTo(join(unpacked, jar, "y.jar"));
    }

    @Test
    void emptyPathsGiveNothing() throws Exception {
        assertThat(ChildClassPath.of("", "")).isEmpty();
    }
}
