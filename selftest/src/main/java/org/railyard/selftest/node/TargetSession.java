package org.railyard.selftest.node;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.selftest.wire.SessionId;

/** A session that a node takes part in. Guarded by the lock of its {@link TestNode}. */
final class TargetSession {
    /** Most batches of a session. */
    static final int MAX_BATCHES = 1024;

    private final SessionId id;
    private final String name;
    private final int features;
    private final long began;
    private final FailedCalls failed = new FailedCalls();
    private final Map<Long, Batch> batches = new LinkedHashMap<>();
    private int references = 1;
    private long lastWord;

    TargetSession(SessionId id, String name, int features, long now) {
        this.id = id;
        this.name = name;
        this.features = features;
        this.began = now;
        this.lastWord = now;
    }

    SessionId id() {
        return id;
    }

    String name() {
        return name;
    }

    int features() {
        return features;
    }

    /** Returns when it began, monotonic time, ns. */
    long began() {
        return began;
    }

    /** Returns the calls of its tests that failed. */
    FailedCalls failed() {
        return failed;
    }

    /** Returns when the console was heard last, monotonic time, ns. */
    long lastWord() {
        return lastWord;
    }

    void heard(long now) {
        lastWord = now;
    }

    void join() {
        references++;
    }

    /** Returns whether nobody is left who made it. */
    boolean leave() {
        return --references == 0;
    }

    @Nullable
    Batch batch(long number) {
        return batches.get(number);
    }

    /** Returns a batch, made now if need be; null if there are too many. */
    @Nullable
    Batch batchForTest(long number) {
        Batch known = batches.get(number);
        if (known == null && batches.size() < MAX_BATCHES) {
            known = new Batch();
            batches.put(number, known);
        }
        return known;
    }

    int batchCount() {
        return batches.size();
    }

    int activeBatches() {
        return (int)
                batches.values().stream().filter(batch -> batch.active() > 0).count();
    }

    /** Ends all its tests at once. */
    void abort() {
        batches.values().forEach(batch -> batch.stop(true));
    }
}
