package org.railyard.console.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.railyard.console.web.WebAnswer;
import org.railyard.lab.observe.RunRecorder;
import org.railyard.lab.run.LabRun;
import org.railyard.lab.run.RunResult;
import org.railyard.lab.scenario.Library;
import org.railyard.lab.scenario.Scenario;

class RunPagesTest {
    private static final long SEED = 2;

    @Test
    void theWholeRunIsOneDocument() {
        Scenario scenario = Library.scenario("server-reboot");
        RunRecorder recorder = new RunRecorder();
        RunResult result = LabRun.record(scenario, SEED, recorder);
        RunPages pages = new RunPages("</script>", "railyard lab replay it", scenario, result, recorder);

        WebAnswer answer = Objects.requireNonNull(pages.pages().get("/api/lab")).answer(Map.of());
        assertThat(answer.type()).startsWith("application/json");
        String text = new String(answer.body(), StandardCharsets.UTF_8);
        assertThat(text)
                .contains("\"name\":\"</script>\"", "\"seed\":\"2\"", "\"skipped\":[0,0,0]")
                .contains("\"command\":\"railyard lab replay it\"")
                .contains("\"end\":" + result.virtualNanos())
                .contains("\"PUT\"", "\"fault\"", "\"repair\"", "@tcp -> ");
        assertThat(text.split("\\],\\[", -1))
                .hasSizeGreaterThan(recorder.messages().size());
    }
}
