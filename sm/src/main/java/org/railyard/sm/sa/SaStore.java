package org.railyard.sm.sa;

import java.util.concurrent.CompletableFuture;

/**
 * Where multicast groups, services, subscriptions and alias GUIDs are kept, so that the next master begins with them.
 * It has to be one that the master after this one reads, and none that is out of date. All is called in one loop, which
 * none of it may hold up without end.
 */
public interface SaStore {
    /**
     * Returns the text, "" if there is none.
     *
     * @throws java.io.UncheckedIOException if it can not be read, or none that is recent
     */
    String load();

    /**
     * Replaces the text by another as a whole: after a crash it is the old one or the new one. That may be later; of
     * texts that wait for it only the newest counts.
     *
     * @return ends when this text, or a newer one, is kept, in whatever thread; with an exception if that is not
     *     possible, cancelled if it is not to be any more
     */
    CompletableFuture<Void> save(String text);

    /**
     * Waits until what was given is kept, or could not be; for a limited time. One that keeps it at once has nothing to
     * wait for.
     *
     * @throws java.io.UncheckedIOException if that took longer
     */
    default void await() {
        // It is kept.
    }

    /**
     * Gives up what is not kept yet: from now on another master keeps there what it has. One that keeps it at once has
     * nothing to give up.
     */
    default void leave() {
        // It is kept.
    }
}
