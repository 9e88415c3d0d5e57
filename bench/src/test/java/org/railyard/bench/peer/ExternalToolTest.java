package org.railyard.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ExternalToolTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(1);
    private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(20);

    private static ExternalTool shell(String script) throws IOException {
        return ExternalTool.start(List.of("sh", "-c", script));
    }

    @Test
    void findsProgramsInThePath() {
        assertThat(ExternalTool.isInstalled("sh")).isTrue();
        assertThat(ExternalTool.isInstalled("no-such-program-anywhere")).isFalse();
    }

    @Test
    void outputAndErrorsAreReturnedAtTheEnd() throws Exception {
        try (ExternalTool tool = shell("echo out; echo err >&2")) {
            assertThat(tool.awaitEnd(LONG).lines()).containsExactlyInAnyOrder("out", "err");
        }
    }

    @Test
    void waitsForALine() throws Exception {
        try (ExternalTool tool = shell("echo ready; exec cat /dev/zero")) {
            tool.awaitOutput("ready", LONG);
        }
    }

    @Test
    void endBeforeTheLineNamesTheLastWords() throws Exception {
        try (ExternalTool tool = shell("echo first; echo 'address in use'")) {
            assertThatThrownBy(() -> tool.awaitOutput("ready", LONG))
                    .isInstanceOf(IOException.class)
                    .hasMessage("sh ended: address in use");
        }
    }

    @Test
    void exitCodeIsAFailure() throws Exception {
        try (ExternalTool tool = shell("exit 3")) {
            assertThatThrownBy(() -> tool.awaitEnd(LONG))
                    .isInstanceOf(IOException.class)
                    .hasMessage("sh exited with code 3: it said nothing");
        }
    }

    @Test
    void silenceIsBounded() throws Exception {
        try (ExternalTool tool =
                ExternalTool.start("waiter", List.of("sh", "-c", "echo begun; exec tail -f /dev/null"))) {
            tool.awaitOutput("begun", LONG);
            assertThatThrownBy(() -> tool.awaitOutput("ready", SHORT)).hasMessageContaining("did not say \"ready\"");
            assertThatThrownBy(() -> tool.awaitEnd(SHORT)).hasMessage("waiter did not end within 20 ms: begun");
        }
    }

    @Test
    void keptOutputIsBounded() throws Exception {
        try (ExternalTool tool = shell("head -c 3000000 /dev/zero")) {
            assertThat(tool.awaitEnd(LONG)).hasSize(ExternalTool.OUTPUT_LIMIT);
        }
    }
}
