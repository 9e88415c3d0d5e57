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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.cli.fabric.FabricInputException;

/** The file of groups, services and subscriptions: for its owner, replaced as a whole, and not taken when it is old. */
final class SaFileTest {
    @TempDir
    private Path directory = Path.of("");

    private final List<String> told = new ArrayList<>();

    private SaFile file(long secondsAhead) {
        InstantSource clock = () -> Instant.now().plusSeconds(secondsAhead);
        return new SaFile(directory.resolve("state"), clock);
    }

    @Test
    void onlyItsOwnerReadsIt() throws IOException {
        assertThat(file(0).load()).isEmpty();
        for (String text : new String[] {"one", "two"}) {
            assertThat(file(0).save(text, () -> true)).isTrue();
            assertThat(file(0).load()).isEqualTo(text);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("state"))))
                    .isEqualTo("rw-------");
        }
        assertThat(directory.toFile().list()).containsExactly("state");
    }

    @Test
    void whatIsOldOrNoFileIsTold() throws IOException {
        file(0).save("one", () -> true);
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
        assertThatThrownBy(() ->
                        new SaFile(directory.resolve("none/state"), InstantSource.system()).save("one", () -> true))
                .hasMessageContaining("cannot be written");
    }

    @Test
    void whatIsNotWantedAnyMoreChangesNothing() {
        file(0).save("one", () -> true);
        assertThat(file(0).save("two", () -> false)).isFalse();
        assertThat(file(0).load()).isEqualTo("one");
        assertThat(directory.toFile().list()).containsExactly("state");
    }

    @Test
    void whatNoSubnetManagerWroteIsNotWrittenOver() throws IOException {
        Path state = directory.resolve("state");
        InstantSource clock = InstantSource.system();
        assertThat(SaFile.open(state, clock).load()).isEmpty();
        Files.writeString(state, "");
        SaFile empty = SaFile.open(state, clock);
        assertThatThrownBy(empty::load)
                .as("as of mktemp, or left by a full disk")
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage(state + ": it is empty");
        Files.writeString(state, "# railyard subnet administration 1\n");
        assertThat(SaFile.open(state, clock).load()).startsWith("# railyard");
        Files.writeString(state, "important");
        assertThatThrownBy(() -> SaFile.open(state, clock))
                .isInstanceOf(FabricInputException.class)
                .hasMessageContainingAll(state + ":1:1: found \"important\"", "not written over");
        assertThat(state).hasContent("important");
    }

    @Test
    void aDamagedFileIsMovedOutOfTheWay() throws IOException {
        Path state = directory.resolve("state");
        String damaged = "# railyard subnet administration 1\nservice 7\n";
        Files.writeString(state, damaged);
        SaFile opened = SaFile.open(state, InstantSource.system());
        assertThat(state).as("another file may be refused yet").hasContent(damaged);
        opened.moveDamagedAside(told::add);
        opened.moveDamagedAside(told::add);
        Path aside = directory.resolve("state.damaged");
        assertThat(told).hasSize(1);
        assertThat(told.getFirst())
                .startsWith(state + ":2:1: found \"service 7\"")
                .endsWith("now named " + aside);
        assertThat(aside).hasContent(damaged);
        assertThat(opened.load()).isEmpty();
    }

    @Test
    void aFileThatWasCutIsMovedOutOfTheWay() throws IOException {
        Path state = directory.resolve("state");
        Files.writeString(state, "# railyard subnet administration 1\ntime 00\ngroup ff12\n");
        SaFile.open(state, InstantSource.system()).moveDamagedAside(told::add);
        Files.writeString(state, "# railyard subnet administration 1\ntime 00");
        SaFile.open(state, InstantSource.system()).moveDamagedAside(told::add);
        assertThat(told)
                .containsExactly(
                        state
                                + ":3:1: found \"group ff12\", expected a record of 56 bytes, not of 2; it is not"
                                + " used, and now named " + state + ".damaged",
                        state + ":2:1: found \"time 00\", expected a line that ends: the text is cut; it is not used,"
                                + " and now named " + state + ".damaged");
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
        assertThatThrownBy(() -> SaFile.open(Path.of("/proc/state"), clock))
                .isInstanceOf(FabricInputException.class)
                .hasMessage("/proc/state: cannot be written: nothing can be made in /proc; new files have to be made"
                        + " beside it, which then take its place; name one where that is possible");
    }
}
