package org.railyard.sm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SweepReportTest {
    private static List<String> notes(int count) {
        List<String> many = IntStream.range(0, count).mapToObj(i -> "note " + i).toList();
        return new SweepReport(1, "test", SweepReport.Result.DONE, 1, 2, 3, 4, 5, 6, List.of(), many).notes();
    }

    @Test
    void ofVeryManyNotesTheFirstAreTold() {
        assertThat(notes(SweepReport.MAX_NOTES))
                .hasSize(SweepReport.MAX_NOTES)
                .endsWith("note " + (SweepReport.MAX_NOTES - 1));
        assertThat(notes(SweepReport.MAX_NOTES + 1))
                .hasSize(SweepReport.MAX_NOTES)
                .startsWith("note 0")
                .endsWith("note " + (SweepReport.MAX_NOTES - 2), "these are the first of 1001 notes");
    }
}
