package org.railyard.lnet.stack;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Invariant;
import org.railyard.lnet.model.Timed;

/**
 * A doubly linked list, earliest deadline first. Putting in is cheap for deadlines that are later than most others.
 * Allocates nothing.
 */
final class DeadlineList<T extends Timed<T>> {
    private @Nullable T first;
    private @Nullable T last;

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

    /**
     * Checks links and order.
     *
     * @param each checks one of them further
     * @return how many there are
     * @throws AssertionError if one is wrong
     */
    int checkInvariants(Consumer<T> each) {
        int count = 0;
        T before = null;
        for (T timed = first; timed != null; timed = timed.later()) {
            Invariant.check(timed.earlier() == before, timed, "a link back to what is due before it");
            Invariant.check(
                    before == null || before.deadlineNanos() - timed.deadlineNanos() <= 0,
                    timed,
                    "to be due no earlier than what stands before it",
                    timed.deadlineNanos());
            each.accept(timed);
            before = timed;
            count++;
        }
        Invariant.check(last == before, "a list by deadline", "its last to be the last one linked");
        return count;
    }
}
