package org.railyard.verbs.card;

import org.railyard.verbs.EventLoop;

/** A loop of a software card. Its text is its name. */
public interface CardLoop extends EventLoop {
    /**
     * Checks that an object of this loop is used in this loop.
     *
     * @throws IllegalStateException if it is not
     */
    default void check(Object used) {
        if (!isInLoop()) {
            throw new IllegalStateException(used + " was used outside its loop " + this);
        }
    }
}
