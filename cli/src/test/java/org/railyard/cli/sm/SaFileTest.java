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
import org.railyard.cli.fabric.FabricInputException;

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

    @Test
    void whatNoSubnetManagerWroteIsNotWrittenOver() throws IOException {
        Path state = directory.resolve("state");
        InstantSource clock = InstantSource.system();
        assertThat(SaFile.open(state, clock).load()).isEmpty();
        Files.writeString(state, "");
        assertThat(SaFile.open(state, clock).load()).as("left by a full disk").isEmpty();
        Files.writeString(state, "# railyard subnet administration 1\n");
        assertThat(SaFile.open(state, clock).load()).startsWith("# railyard");
        for (String other : new String[] {"important\n", "# railyard subnet administration 1\nservice 7\n"}) {
            Files.writeString(state, other);
            assertThatThrownBy(() -> SaFile.open(state, clock))
                    .isInstanceOf(FabricInputException.class)
                    .hasMessageContainingAll(state + (other.startsWith("i") ? ":1:1: " : ":2:1: "), "not written over");
            assertThat(state).hasContent(other.strip());
        }
    }

    @Test
    void whereNothingCanBeWrittenIsTold() {
        InstantSource clock = InstantSource.system();
        assertThatThrownBy(() -> SaFile.open(directory, clock))
                .isInstanceOf(FabricInputException.class)
                .hasMessageContaining("Is a directory");
        Path none = directory.resolve("none/state");
        assertThatThrownBy(() -> SaFile.open(none, clock))
                .isInstanceOf(FabricInputException.class)
                .hasMessageContaining("there is no folder " + none.getParent());
        assertThatThrownBy(() -> new KeptTable(none, false).load())
                .hasMessageContaining("there is no folder " + none.getParent());
    }
}
