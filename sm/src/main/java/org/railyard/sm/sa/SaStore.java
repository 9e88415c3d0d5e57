package org.railyard.sm.sa;

/**
 * Where multicast groups, services, subscriptions and alias GUIDs are kept, so that the next master begins with them.
 * It has to be one that the master after this one reads, and none that is out of date.
 */
public interface SaStore {
    /**
     * Returns the text, "" if there is none, or none that is recent.
     *
     * @throws java.io.UncheckedIOException if it can not be read
     */
    String load();

    /**
     * Replaces the text by another as a whole: after a crash it is the old one or the new one.
     *
     * @throws java.io.UncheckedIOException if that is not possible
     */
    void save(String text);
}
