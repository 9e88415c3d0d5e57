package org.railyard.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class LogThreadTest {
    private static final Formatter PLAIN = new Formatter() {
        @Override
        public String format(LogRecord event) {
            return event.getMessage() + "\n";
        }
    };

    /** A reader that stands still, such as a terminal after Ctrl-S, until it is let go. */
    private static final class StuckReader extends OutputStream {
        private final CountDownLatch stuck = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private final ByteArrayOutputStream read = new ByteArrayOutputStream();

        @Override
        public void write(int one) {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) {
            stuck.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            read.write(bytes, from, count);
        }
    }

    @Test
    void nobodyWaitsForAReaderThatStandsStill() throws InterruptedException {
        StuckReader reader = new StuckReader();
        LogThread log = new LogThread(new PrintStream(reader, true, StandardCharsets.UTF_8), PLAIN);
        log.publish(new LogRecord(Level.WARNING, "first"));
        reader.stuck.await();
        for (int i = 0; i < TextThread.MAX_TEXTS + 7; i++) {
            log.publish(new LogRecord(Level.WARNING, "line " + i));
        }
        reader.released.countDown();
        log.close();
        String[] lines = reader.read.toString(StandardCharsets.UTF_8).split("\n");
        assertThat(lines).startsWith("first", "line 0").hasSize(TextThread.MAX_TEXTS + 2);
        assertThat(lines[TextThread.MAX_TEXTS]).isEqualTo("line " + (TextThread.MAX_TEXTS - 1));
        assertThat(lines[TextThread.MAX_TEXTS + 1]).startsWith("7 lines of the log are left out here");
    }

    @Test
    void theConsoleIsTakenOverInItsForm() {
        Logger everybody = Logger.getLogger("");
        Handler console = new ConsoleHandler();
        console.setFormatter(PLAIN);
        everybody.addHandler(console);
        Handler[] before = everybody.getHandlers();
        LogThread.takeOver();
        Handler[] after = everybody.getHandlers();
        try {
            assertThat(after).hasSameSizeAs(before).noneMatch(ConsoleHandler.class::isInstance);
            assertThat(after).anyMatch(each -> each instanceof LogThread && each.getFormatter() == PLAIN);
        } finally {
            Stream.of(after).forEach(everybody::removeHandler);
            Stream.of(before).filter(each -> each != console).forEach(everybody::addHandler);
        }
    }
}
