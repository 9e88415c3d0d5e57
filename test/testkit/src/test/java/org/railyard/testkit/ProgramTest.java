package org.railyard.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProgramTest {
    @Test
    void tellsWhatItSaysOnBothStreams(@TempDir Path directory) {
        String said = Program.of("sh", "-c", "pwd; echo $WORD >&2; cat")
                .in(directory)
                .with("WORD", "it")
                .run();
        assertThat(said).isEqualTo(directory + "\nit\n");
    }

    @Test
    void endsAsExpected() {
        Program failing = Program.of("sh", "-c", "echo no; exit 3");
        assertThat(failing.run(3)).isEqualTo(failing.output()).isEqualTo("no\n");
        assertThatThrownBy(failing::run)
                .isInstanceOf(AssertionError.class)
                .hasMessage("sh -c echo no; exit 3 ends with 3, expected 0: no\n");
    }

    @Test
    void isNotThere() {
        assertThatThrownBy(() -> Program.line("/is/not there").run())
                .isInstanceOf(AssertionError.class)
                .hasMessage("/is/not there can not be run");
    }
}
