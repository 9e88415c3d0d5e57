package org.railyard.control.node;

import java.util.ArrayDeque;
import java.util.Deque;

/** How to take back what was done, newest first. Not thread-safe. */
final class UndoLog {
    private static final System.Logger LOG = System.getLogger("org.railyard.dlc");

    private final Deque<Runnable> inverses = new ArrayDeque<>();

    /** Notes how to take back what was just done. */
    void did(Runnable inverse) {
        inverses.push(inverse);
    }

    boolean isEmpty() {
        return inverses.isEmpty();
    }

    /**
     * Takes everything back. What can not be taken back is logged, the rest is taken back all the same.
     *
     * @return whether everything was taken back
     */
    boolean rollBack() {
        boolean whole = true;
        while (!inverses.isEmpty()) {
            try {
                inverses.pop().run();
            } catch (RuntimeException | Error e) {
                whole = false;
                LOG.log(System.Logger.Level.ERROR, "a change could not be taken back: {0}", e.getMessage());
            }
        }
        return whole;
    }
}
