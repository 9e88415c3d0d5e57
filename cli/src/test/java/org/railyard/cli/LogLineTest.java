package org.railyard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

final class LogLineTest {
    @Test
    void isOneLineWithClassMessageAndCause() {
        LogRecord event = new LogRecord(Level.WARNING, "peer {0} says\nno");
        event.setLoggerName("org.railyard.socklnd.handshake.Acceptor");
        event.setParameters(new Object[] {"10.0.0.1@tcp"});
        event.setThrown(new IllegalStateException("why"));
        assertThat(new LogLine().format(event))
                .matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} WARNING Acceptor: peer 10\\.0\\.0\\.1@tcp"
                        + " says\\\\n"
                        + "no: java\\.lang\\.IllegalStateException: why\\R");
    }

    @Test
    void numbersAreToldAsTheyAreTyped() {
        LogRecord event = new LogRecord(Level.WARNING, "health of {0} is {1} of {2}");
        event.setLoggerName("lnet");
        event.setParameters(new Object[] {"10.0.0.1@tcp", 1000, 4_096L});
        assertThat(new LogLine().format(event)).contains("lnet: health of 10.0.0.1@tcp is 1000 of 4096");
    }

    @Test
    void isBounded() {
        LogRecord event = new LogRecord(Level.INFO, "x".repeat(100_000));
        event.setLoggerName("a");
        assertThat(new LogLine().format(event)).hasSizeLessThan(OneLine.MAX_CHARS + 100);
    }
}
