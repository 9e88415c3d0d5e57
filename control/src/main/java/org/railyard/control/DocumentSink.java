package org.railyard.control;

import java.util.Map;

/** Takes documents one after another. */
@FunctionalInterface
public interface DocumentSink {
    /**
     * Takes one; may wait until there is room for it.
     *
     * @return whether it takes more
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    boolean take(Map<String, Object> document) throws InterruptedException;
}
