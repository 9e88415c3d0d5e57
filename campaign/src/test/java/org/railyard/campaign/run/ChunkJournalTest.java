package org.railyard.campaign.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.campaign.Plans;
import org.railyard.campaign.plan.CampaignPlan;

class ChunkJournalTest {
    @TempDir
    private Path folder = Path.of("");

    private final CampaignPlan plan = Plans.failures(1, "switches", 0, 2);
    private byte[] lines = new byte[0];
    private byte[] rows = new byte[0];

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @BeforeEach
    void threeChunksInAnyOrder() throws IOException {
        try (ChunkJournal journal = ChunkJournal.open(folder, plan)) {
            journal.add(plan.chunk(3), bytes("three\n"));
            journal.add(plan.chunk(0), bytes("nothing, as 0 has been called\n"));
            journal.add(plan.chunk(2), bytes(""));
            assertThatThrownBy(() -> journal.add(plan.chunk(2), bytes("again")))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        lines = Files.readAllBytes(folder.resolve("journal"));
        rows = Files.readAllBytes(folder.resolve("rows"));
    }

    private int open() throws IOException {
        try (ChunkJournal journal = ChunkJournal.open(folder, plan)) {
            if (journal.isDone(3)) {
                assertThat(journal.rows(3)).isEqualTo(bytes("three\n"));
            }
            if (journal.isDone(0)) {
                assertThat(journal.rows(0)).isEqualTo(bytes("nothing, as 0 has been called\n"));
            }
            assertThat(journal.isDone(1)).isFalse();
            return journal.done();
        }
    }

    @Test
    void allIsThereAgain() throws IOException {
        assertThat(open()).isEqualTo(3);
        assertThat(Files.readAllBytes(folder.resolve("journal"))).isEqualTo(lines);
        assertThat(Files.readAllBytes(folder.resolve("rows"))).isEqualTo(rows);
    }

    @Test
    void aJournalThatIsTornAnywhereKeepsWholeLines() throws IOException {
        int head = new String(lines, StandardCharsets.US_ASCII).indexOf('\n') + 1;
        for (int length = 0; length <= lines.length; length++) {
            Files.write(folder.resolve("journal"), Arrays.copyOf(lines, length));
            Files.write(folder.resolve("rows"), rows);
            int expected = 0;
            for (int i = head; i < length; i++) {
                expected += lines[i] == '\n' ? 1 : 0;
            }
            assertThat(open()).as("torn after %d bytes", length).isEqualTo(expected);
            try (ChunkJournal journal = ChunkJournal.open(folder, plan)) {
                assertThat(journal.dropped()).isZero();
                journal.add(plan.chunk(1), bytes("one\n"));
            }
            try (ChunkJournal journal = ChunkJournal.open(folder, plan)) {
                assertThat(journal.rows(1)).isEqualTo(bytes("one\n"));
            }
        }
    }

    @Test
    void aByteThatIsWrongCostsWhatComesBehindIt() throws IOException {
        int head = new String(lines, StandardCharsets.US_ASCII).indexOf('\n') + 1;
        for (int at = head; at < lines.length; at++) {
            byte[] wrong = lines.clone();
            wrong[at] ^= 1;
            Files.write(folder.resolve("journal"), wrong);
            Files.write(folder.resolve("rows"), rows);
            int before = 0;
            for (int i = head; i < at; i++) {
                before += lines[i] == '\n' ? 1 : 0;
            }
            try (ChunkJournal journal = ChunkJournal.open(folder, plan)) {
                assertThat(journal.done()).as("byte %d", at).isEqualTo(before);
                assertThat(journal.dropped()).isPositive();
            }
        }
        for (int at = 0; at < rows.length; at++) {
            byte[] wrong = rows.clone();
            wrong[at] ^= 1;
            Files.write(folder.resolve("journal"), lines);
            Files.write(folder.resolve("rows"), wrong);
            assertThat(open()).isEqualTo(at < 6 ? 0 : 1);
        }
        Files.write(folder.resolve("journal"), lines);
        Files.write(folder.resolve("rows"), Arrays.copyOf(rows, rows.length - 1));
        assertThat(open()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1 0 0 00000000 ",
                "one 0 0 00000000 ",
                "1 99999999999999999999 0 00000000 ",
                "1 0 -5 00000000 ",
                "99999999999 0 0 00000000 ",
            })
    void aLineThatSaysNothingOfAChunkIsDropped(String said) throws IOException {
        CRC32C crc = new CRC32C();
        crc.update(bytes(said));
        String head =
                new String(lines, StandardCharsets.US_ASCII).lines().findFirst().orElseThrow();
        Files.writeString(folder.resolve("journal"), head + "\n" + said + "%08x\n".formatted(crc.getValue()));
        try (ChunkJournal journal = ChunkJournal.open(folder, plan)) {
            assertThat(journal.done()).isZero();
            assertThat(journal.dropped()).isEqualTo(1);
        }
    }

    @Test
    void aJournalWhoseBeginningIsLostTellsThatRowsAreThrownAway() throws IOException {
        for (byte[] lost : List.of(new byte[0], bytes("garbage"), new byte[lines.length])) {
            Files.write(folder.resolve("journal"), lost);
            Files.write(folder.resolve("rows"), rows);
            try (ChunkJournal journal = ChunkJournal.open(folder, plan)) {
                assertThat(journal.done()).isZero();
                assertThat(journal.dropped()).as("of %d bytes", lost.length).isPositive();
            }
        }
        // Torn before anything was done.
        Files.write(folder.resolve("journal"), bytes("railyard-camp"));
        Files.write(folder.resolve("rows"), new byte[0]);
        try (ChunkJournal journal = ChunkJournal.open(folder, plan)) {
            assertThat(journal.dropped()).isZero();
        }
    }

    @Test
    void theJournalOfAnotherPlanIsRefused() {
        assertThatThrownBy(() -> ChunkJournal.open(folder, Plans.failures(1, "switches", 0, 3)))
                .hasMessageStartingWith("EINVAL: ")
                .hasMessageContaining("not the journal of the plan");
    }
}
