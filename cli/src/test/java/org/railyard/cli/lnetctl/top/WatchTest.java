package org.railyard.cli.lnetctl.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.railyard.control.figures.Reading;

/** A node that is watched, and one that goes away. */
final class WatchTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long PATIENCE = 3 * SECOND;

    private static Map<String, Object> sample(long seconds, long sent) {
        Map<String, Object> ni = Map.of("nid", "10.0.0.1@tcp", "of", "eth0", "state", "ACTIVE", "sent", sent);
        return Map.of("sample", Map.of("time", seconds * SECOND, "nis", List.of(ni), "peer nis", List.of()));
    }

    @Test
    void anAnswerThatStaysAway() {
        Watch watch = new Watch(0);
        assertThat(watch.figures()).isNull();
        watch.read(Reading.of(sample(1, 5)), SECOND);
        assertThat(watch.trouble(4 * SECOND, PATIENCE)).isEmpty();
        assertThat(watch.trouble(6 * SECOND, PATIENCE))
                .isEqualTo("lnetd does not answer since 5 s; the figures are from before");
        watch.read(Reading.of(sample(9, 7)), 9 * SECOND);
        assertThat(watch.trouble(9 * SECOND, PATIENCE)).isEmpty();
    }

    @Test
    void aServiceThatIsGoneIsToldAtOnce() {
        Watch watch = new Watch(0);
        watch.read(Reading.of(sample(1, 5)), SECOND);
        watch.failed(new UnavailableException("no lnetd answers", false), 2 * SECOND);
        assertThat(watch.trouble(2 * SECOND, PATIENCE)).startsWith("lnetd does not answer since 1 s");
        assertThat(watch.figures()).isNotNull();
    }

    @Test
    void aServiceThatRefusesSaysWhy() {
        Watch watch = new Watch(0);
        watch.failed(new UnavailableException("LNet is not configured here", true), 2 * SECOND);
        assertThat(watch.trouble(2 * SECOND, PATIENCE)).isEqualTo("LNet is not configured here");
        watch.read(Reading.of(sample(3, 5)), 3 * SECOND);
        assertThat(watch.trouble(3 * SECOND, PATIENCE)).isEmpty();
    }

    @Test
    void tablesForAFile() throws UnavailableException, InterruptedException {
        StringWriter out = new StringWriter();
        List<Duration> rests = new ArrayList<>();
        List<Long> sent = new ArrayList<>(List.of(0L, 10L, 40L));
        NodeSource node = () -> sample(4 - sent.size(), sent.removeFirst());
        PlainTables.run(node, Duration.ofSeconds(1), 2, "rate", new PrintWriter(out), rests::add);
        assertThat(rests).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(1));
        assertThat(out.toString().lines())
                .contains("lnetctl top  1 of 2  1000 ms", "lnetctl top  2 of 2  1000 ms")
                .anyMatch(line -> line.startsWith("out 10/s"))
                .anyMatch(line -> line.startsWith("out 30/s"));
    }

    @Test
    void whatIsNoSampleIsRefused() {
        assertThatThrownBy(() -> Reading.of(Map.of("net", List.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("an answer without figures: [net]");
    }
}
