package org.railyard.socklnd.peer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.railyard.lnet.lnd.LndMessage;

/** Messages that wait for a connection to one peer, each with its deadline. Not thread-safe. */
final class PendingQueue {
    /**
     * A message that waits.
     *
     * @param message the message
     * @param deadline until when, ns
     */
    record Entry(LndMessage message, long deadline) {}

    private final int limit;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();

    PendingQueue(int limit) {
        this.limit = limit;
    }

    int size() {
        return entries.size();
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Adds a message; false if the queue is full. */
    boolean add(Entry entry) {
        return entries.size() < limit && entries.add(entry);
    }

    /** Removes and returns all. */
    List<Entry> takeAll() {
        List<Entry> all = new ArrayList<>(entries);
        entries.clear();
        return all;
    }

    /** Removes and returns those whose deadline has passed. */
    List<Entry> takeExpired(long now) {
        List<Entry> late = new ArrayList<>();
        entries.removeIf(entry -> now - entry.deadline >= 0 && late.add(entry));
        return late;
    }
}
