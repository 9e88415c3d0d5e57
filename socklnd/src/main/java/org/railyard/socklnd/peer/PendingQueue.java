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
    record Guest(LndMessage message, long deadline) {}

    private final int limit;
    private final ArrayDeque<Guest> guests = new ArrayDeque<>();

    PendingQueue(int limit) {
        this.limit = limit;
    }

    boolean isEmpty() {
        return guests.isEmpty();
    }

    /** Takes a message in; false if the room is full. */
    boolean add(Guest guest) {
        return guests.size() < limit && guests.add(guest);
    }

    /** Lets all out. */
    List<Guest> takeAll() {
        List<Guest> all = new ArrayList<>(guests);
        guests.clear();
        return all;
    }

    /** Lets those out whose time is over. */
    List<Guest> takeExpired(long now) {
        List<Guest> late = new ArrayList<>();
        guests.removeIf(guest -> now - guest.deadline >= 0 && late.add(guest));
        return late;
    }
}
