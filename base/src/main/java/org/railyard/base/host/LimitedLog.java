package org.railyard.base.host;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Log lines about others' mistakes: one per topic and interval, with the number left out, so that a bad peer can not
 * fill a disk. Thread-safe.
 */
public final class LimitedLog {
    /** Time between two lines about one topic unless another one is asked for, ns. */
    public static final long INTERVAL_NANOS = 10_000_000_000L;

    /** Most topics of one interval that are kept apart; further ones share one. */
    public static final int MAX_TOPICS = 64;

    private static final class Topic {
        private long last;
        private boolean logged;
        private long suppressed;
    }

    private final System.Logger log;
    private final System.Logger.Level level;
    private final NodeClock clock;
    private final long intervalNanos;

    @GuardedBy("this")
    private final Map<String, Topic> topics = new LinkedHashMap<>();

    /** Makes a limiter of a log, with an interval of {@link #INTERVAL_NANOS}. */
    public LimitedLog(System.Logger log, System.Logger.Level level, NodeClock clock) {
        this(log, level, clock, INTERVAL_NANOS);
    }

    /** Makes a limiter of a log, with an interval, ns. */
    public LimitedLog(System.Logger log, System.Logger.Level level, NodeClock clock, long intervalNanos) {
        this.log = log;
        this.level = level;
        this.clock = clock;
        this.intervalNanos = intervalNanos;
    }

    /** Tells whether a line about a topic would be written now; if not, counts it as left out. */
    public synchronized boolean wants(String topic) {
        Topic known = topic(topic);
        boolean due = !known.logged || clock.nanoTime() - known.last >= intervalNanos;
        if (!due) {
            known.suppressed++;
        }
        return due;
    }

    /** Writes a line, unless the topic had one within the interval. */
    public void log(String topic, String line) {
        String text = line;
        synchronized (this) {
            Topic known = topic(topic);
            if (known.logged && clock.nanoTime() - known.last < intervalNanos) {
                known.suppressed++;
                return;
            }
            if (known.suppressed > 0) {
                text = line + " (" + known.suppressed + " more like this since the last line)";
            }
            known.logged = true;
            known.last = clock.nanoTime();
            known.suppressed = 0;
        }
        log.log(level, text);
    }

    @GuardedBy("this")
    private Topic topic(String name) {
        if (topics.size() >= MAX_TOPICS && !topics.containsKey(name)) {
            long now = clock.nanoTime();
            topics.values().removeIf(each -> each.logged && now - each.last >= intervalNanos);
        }
        String key = topics.containsKey(name) || topics.size() < MAX_TOPICS ? name : "";
        return topics.computeIfAbsent(key, k -> new Topic());
    }
}
