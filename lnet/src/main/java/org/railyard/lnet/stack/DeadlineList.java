package org.railyard.lnet.stack;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.model.Timed;

/**
 * A doubly linked list, earliest deadline first. Putting in is cheap for deadlines that are later than most others.
 * Allocates nothing.
 */
final class DeadlineList<T extends Timed<T>> {
    private @Nullable T first;
    private @Nullable T last;

    @Nullable
    T first() {
        return first;
    }

    void insert(T added) {
        T before = last;
        while (before != null && before.deadlineNanos() - added.deadlineNanos() > 0) {
            before = before.earlier();
        }
        T after = before == null ? first : before.later();
        added.setEarlier(before);
        added.setLater(after);
        if (before == null) {
            first = added;
        } else {
            before.setLater(added);
        }
        if (after == null) {
            last = added;
        } else {
            after.setEarlier(added);
        }
    }

    void remove(T gone) {
        T before = gone.earlier();
        T after = gone.later();
        if (before == null) {
            first = after;
        } else {
            before.setLater(after);
        }
        if (after == null) {
            last = before;
        } else {
            after.setEarlier(before);
        }
        gone.setEarlier(null);
        gone.setLater(null);
    }

    /** Returns the first if its deadline has passed, else null. */
    @Nullable
    T overdue(long now) {
        T earliest = first;
        return earliest != null && earliest.deadlineNanos() - now <= 0 ? earliest : null;
    }

    /** Returns the earlier of a time and the first deadline. */
    long earliest(long latest) {
        T earliest = first;
        return earliest != null && earliest.deadlineNanos() - latest < 0 ? earliest.deadlineNanos() : latest;
    }
}
