package org.railyard.verbs;

/** A task that waits for its time in an {@link EventLoop}. */
@FunctionalInterface
public interface LoopTimer {
    /** Makes the task not run, if it has not begun. To be called in the loop. */
    void cancel();
}
