package org.railyard.verbs.card;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queue pairs of a card by their numbers, whose low bits are the place in the table. Numbers go round, so that one
 * comes back as late as possible. Not thread-safe.
 *
 * @param <Q> the queue pairs
 */
final class QpTable<Q extends CardQp> {
    /** Numbers 0 and 1 belong to the managers of subnet and connections. */
    private static final int FIRST_NUMBER = 2;

    private static final int NUMBER_MASK = 0xFF_FFFF;
    private static final int FIRST_SIZE = 64;

    private @Nullable CardQp[] places = new @Nullable CardQp[FIRST_SIZE];
    private int size;
    private int lastNumber;

    /**
     * Makes an empty table.
     *
     * @param lastNumber the first number is the next one
     */
    QpTable(int lastNumber) {
        this.lastNumber = lastNumber & NUMBER_MASK;
    }

    int size() {
        return size;
    }

    private int place(int number) {
        return number & places.length - 1;
    }

    /** Returns a number for a new queue pair. */
    int nextNumber() {
        if (size * 2 >= places.length && places.length <= NUMBER_MASK / 2) {
            grow();
        }
        do {
            lastNumber = Math.max(FIRST_NUMBER, lastNumber + 1 & NUMBER_MASK);
        } while (places[place(lastNumber)] != null);
        return lastNumber;
    }

    private void grow() {
        @Nullable CardQp[] before = places;
        places = new @Nullable CardQp[before.length * 2];
        for (CardQp each : before) {
            if (each != null) {
                places[place(each.number())] = each;
            }
        }
    }

    /** Takes a queue pair in, with the number that it has got last. */
    void add(Q qp) {
        places[place(qp.number())] = qp;
        size++;
    }

    /** Returns the queue pair with a number; null if there is none. */
    @SuppressWarnings("unchecked")
    @Nullable
    Q find(int number) {
        CardQp qp = places[place(number)];
        return qp != null && qp.number() == number ? (Q) qp : null;
    }

    void remove(CardQp qp) {
        if (places[place(qp.number())] == qp) {
            places[place(qp.number())] = null;
            size--;
        }
    }

    /** Returns all of them. */
    @SuppressWarnings("unchecked")
    List<Q> all() {
        List<Q> all = new ArrayList<>(size);
        for (CardQp each : places) {
            if (each != null) {
                all.add((Q) each);
            }
        }
        return all;
    }

    void clear() {
        Arrays.fill(places, null);
        size = 0;
    }
}
