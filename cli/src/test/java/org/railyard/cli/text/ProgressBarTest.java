package org.railyard.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
    private final StringWriter screen = new StringWriter();
    private long nanos;

    private ProgressBar bar(boolean live) {
        return new ProgressBar(new PrintWriter(screen), 4, "seeds", live, () -> nanos);
    }

    @Test
    void progressIsOneLineThatIsRewritten() {
        ProgressBar bar = bar(true);
        bar.done(1);
        bar.done(2);
        assertThat(screen.toString())
                .isEqualTo("\r[" + "=".repeat(7) + " ".repeat(23) + "] 1 of 4 seeds\r[" + "=".repeat(15)
                        + " ".repeat(15) + "] 2 of 4 seeds");
    }

    @Test
    void whatFollowsBeginsOnAnEmptyLine() {
        ProgressBar bar = bar(true);
        bar.done(4);
        bar.clear();
        assertThat(screen.toString()).endsWith("4 of 4 seeds\r\u001b[K");
    }

    @Test
    void aLongRunSaysHowLongItWillTake() {
        ProgressBar bar = bar(true);
        bar.done(1);
        nanos = 100_000_000_000L;
        bar.done(2);
        assertThat(screen.toString()).endsWith("2 of 4 seeds, 3 min left\u001b[K");
        nanos = 120_000_000_000L;
        bar.done(3);
        assertThat(screen.toString()).endsWith("3 of 4 seeds, 60 s left\u001b[K");
    }

    @Test
    void nothingIsWrittenToAFile() {
        ProgressBar bar = bar(false);
        bar.done(2);
        bar.clear();
        assertThat(screen.toString()).isEmpty();
    }
}
