package org.railyard.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeTextTest {
    @TempDir
    private Path dir = Path.of("");

    @Test
    void aFileUpToTheLimit() throws IOException {
        Path file = Files.writeString(dir.resolve("text"), "grün");
        assertThat(WholeText.read(file, 5, StandardCharsets.UTF_8)).isEqualTo("grün");
        assertThatThrownBy(() -> WholeText.read(file, 4, StandardCharsets.UTF_8))
                .hasMessage("more than 4 bytes");
        assertThatThrownBy(() -> WholeText.read(file, 5, StandardCharsets.US_ASCII))
                .isInstanceOf(CharacterCodingException.class);
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheText() throws IOException {
        Path file = Files.writeString(dir.resolve("text"), "\uFEFFgrün");
        assertThat(WholeText.read(file, 8, StandardCharsets.UTF_8)).isEqualTo("grün");
        assertThat(WholeText.read(file, 8, StandardCharsets.ISO_8859_1)).startsWith("gr");
        Files.write(file, new byte[] {(byte) 0xEF, (byte) 0xBB});
        assertThat(WholeText.read(file, 8, StandardCharsets.ISO_8859_1)).hasSize(2);
    }

    @Test
    void oneThatDoesNotEnd() {
        assertThatThrownBy(() -> WholeText.read(Path.of("/dev/zero"), 100_000, StandardCharsets.UTF_8))
                .hasMessage("more than 100000 bytes");
    }
}
