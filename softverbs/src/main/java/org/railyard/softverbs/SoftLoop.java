package org.railyard.softverbs;

import java.util.ArrayDeque;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.LoopTimer;

/** A loop whose tasks are happenings in virtual time. While its node is frozen, they wait. */
final class SoftLoop implements EventLoop {
    /** Most tasks that may wait at a time. */
    static final int MAX_TASKS = 1 << 22;

    private final SoftNode node;
    private final String name;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean scheduled;
    private boolean running;
    private boolean closed;

    SoftLoop(SoftNode node, String name) {
        this.node = node;
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

    /** Sees to it that tasks run, if there are any and the node is not frozen. */
    void wake() {
        if (!scheduled && !closed && !tasks.isEmpty() && !node.isFrozen()) {
            scheduled = true;
            Timeline time = node.fabric().time();
            time.at(time.now(), this::drain);
        }
    }

    private void drain() {
        scheduled = false;
        if (node.isFrozen()) {
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
        Timeline time = node.fabric().time();
        // It may be cancelled while it waits in the loop, too.
        boolean[] cancelled = {false};
        Timeline.Cancel cancel = time.at(
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

    /** Checks that an object of this loop is used in this loop. */
    void check(Object object) {
        if (!running) {
            throw new IllegalStateException(object + " was used outside its loop " + name);
        }
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        tasks.clear();
    }
}
