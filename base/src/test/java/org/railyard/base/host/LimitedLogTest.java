package org.railyard.base.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LimitedLogTest {
    private final SetClock clock = new SetClock();
    private final Lines lines = new Lines();
    private final LimitedLog log = new LimitedLog(lines, System.Logger.Level.WARNING, clock);

    /** A clock that is set by hand. */
    private static final class SetClock implements NodeClock {
        private long now;

        void advance(long nanos) {
            now += nanos;
        }

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public long wallNanos() {
            return now;
        }
    }

    /** A logger that keeps its lines. */
    private static final class Lines implements System.Logger {
        final List<String> written = new ArrayList<>();

        @Override
        public String getName() {
            return "lines";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String line, @Nullable Throwable thrown) {
            written.add(level + " " + line);
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String format, @Nullable Object... params) {
            written.add(level + " " + format);
        }
    }

    @Test
    void oneLineForEachTopicAndIntervalWithTheNumberLeftOut() {
        for (int i = 0; i < 5; i++) {
            log.log("drop", "line " + i);
        }
        log.log("other", "another topic");
        clock.advance(LimitedLog.INTERVAL_NANOS - 1);
        assertThat(log.wants("drop")).isFalse();
        clock.advance(1);
        assertThat(log.wants("drop")).isTrue();
        log.log("drop", "line 5");
        assertThat(lines.written)
                .containsExactly(
                        "WARNING line 0",
                        "WARNING another topic",
                        "WARNING line 5 (5 more like this since the last line)");
    }

    @Test
    void anotherInterval() {
        LimitedLog slow = new LimitedLog(lines, System.Logger.Level.ERROR, clock, 60_000_000_000L);
        slow.log("drop", "first");
        clock.advance(59_000_000_000L);
        slow.log("drop", "second");
        clock.advance(1_000_000_000L);
        slow.log("drop", "third");
        assertThat(lines.written).containsExactly("ERROR first", "ERROR third (1 more like this since the last line)");
    }

    @Test
    void topicsBeyondTheLimitShareOne() {
        for (int i = 0; i < 10 * LimitedLog.MAX_TOPICS; i++) {
            log.log("topic " + i, "line");
        }
        assertThat(lines.written).hasSize(LimitedLog.MAX_TOPICS + 1);
        clock.advance(LimitedLog.INTERVAL_NANOS);
        log.log("topic of later", "line of later");
        log.log("another", "another line of later");
        assertThat(lines.written).hasSize(LimitedLog.MAX_TOPICS + 3).endsWith("WARNING another line of later");
    }
}
