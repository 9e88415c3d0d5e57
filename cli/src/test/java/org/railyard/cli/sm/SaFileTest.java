package org.railyard.cli.sm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of groups, services and subscriptions: for its owner, replaced as a whole, and not taken when it is old. */
final class SaFileTest {
    @TempDir
    private Path directory = Path.of("");

    private SaFile file(long secondsAhead) {
        InstantSource clock = () -> Instant.now().plusSeconds(secondsAhead);
        return new SaFile(directory.resolve("state"), clock);
    }

    @Test
    void onlyItsOwnerReadsIt() throws IOException {
        assertThat(file(0).load()).isEmpty();
        for (String text : new String[] {"one", "two"}) {
            file(0).save(text);
            assertThat(file(0).load()).isEqualTo(text);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("state"))))
                    .isEqualTo("rw-------");
        }
        assertThat(directory.toFile().list()).containsExactly("state");
    }

    @Test
    void whatIsOldOrNoFileIsTold() throws IOException {
        file(0).save("one");
        assertThat(file(3500).load()).isEqualTo("one");
        assertThatThrownBy(() -> file(3700).load())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("more than an hour old");
        byte[] noText = {0x7F, 'E', 'L', 'F', (byte) 0xFF};
        Files.write(directory.resolve("state"), noText);
        assertThat(file(0).load()).as("who parses it tells line and column").isEqualTo("\u007fELF\u00ff");
        Files.delete(directory.resolve("state"));
        Files.createSymbolicLink(directory.resolve("state"), Path.of("/dev/zero"));
        assertThatThrownBy(() -> new KeptTable(directory.resolve("state"), false).load())
                .hasMessageContaining("more than 67108864 bytes");
        Files.delete(directory.resolve("state"));
        Files.createDirectory(directory.resolve("state"));
        assertThatThrownBy(() -> file(0).load()).hasMessageContaining("state: cannot be read: Is a directory");
        assertThatThrownBy(() -> new SaFile(directory.resolve("none/state"), InstantSource.system()).save("one"))
                .hasMessageContaining("cannot be written");
    }
}
