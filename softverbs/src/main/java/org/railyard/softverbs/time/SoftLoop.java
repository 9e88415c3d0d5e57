package org.railyard.softverbs.time;

import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import org.railyard.verbs.LoopTimer;
import org.railyard.verbs.card.CardLoop;

/** A loop whose tasks are events in virtual time. While its machine is frozen, they wait. */
public final class SoftLoop implements CardLoop {
    /** Most tasks that may wait at a time. */
    static final int MAX_TASKS = 1 << 22;

    private final Timeline time;
    private final BooleanSupplier frozen;
    private final String name;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final Runnable drain = this::drain;
    private boolean scheduled;
    private boolean running;
    private boolean closed;

    /**
     * Makes a loop without tasks.
     *
     * @param frozen whether the software of its machine stands still
     */
    public SoftLoop(Timeline time, BooleanSupplier frozen, String name) {
        this.time = time;
        this.frozen = frozen;
        this.name = name;
    }

    @Override
    public void execute(Runnable task) {
        if (closed) {
            return;
        }
        if (tasks.size() >= MAX_TASKS) {
            throw new IllegalStateException(MAX_TASKS + " tasks wait in loop " + name);
        }
        tasks.add(task);
        wake();
    }

    @Override
    public void call(Runnable task) {
        if (closed) {
            throw new IllegalStateException("loop " + name + " has ended");
        }
        boolean nested = running;
        running = true;
        try {
            task.run();
        } finally {
            running = nested;
        }
    }

    /** Sees to it that tasks run, if there are any and the machine is not frozen. */
    public void wake() {
        if (!scheduled && !closed && !tasks.isEmpty() && !frozen.getAsBoolean()) {
            scheduled = true;
            time.at(time.now(), drain);
        }
    }

    private void drain() {
        scheduled = false;
        if (frozen.getAsBoolean()) {
            return;
        }
        running = true;
        try {
            // Those that come meanwhile take their turn.
            for (int left = tasks.size(); left > 0 && !closed; left--) {
                tasks.remove().run();
            }
        } finally {
            running = false;
            wake();
        }
    }

    @Override
    public LoopTimer schedule(long delayNanos, Runnable task) {
        // It may be cancelled while it waits in the loop, too.
        boolean[] cancelled = {false};
        LoopTimer cancel = time.at(
                time.now() + delayNanos,
                () -> execute(() -> {
                    if (!cancelled[0]) {
                        task.run();
                    }
                }));
        return () -> {
            cancelled[0] = true;
            cancel.cancel();
        };
    }

    @Override
    public boolean isInLoop() {
        return running;
    }

    /** Tells whether it has ended. */
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        tasks.clear();
    }

    @Override
    public String toString() {
        return name;
    }
}
