package org.railyard.lnet.model;

import org.jspecify.annotations.Nullable;

/**
 * Something with a deadline, linked into a list by deadline.
 *
 * @param <T> what it is
 */
public interface Timed<T extends Timed<T>> {
    /** Returns its deadline, monotonic ns. */
    long deadlineNanos();

    /** Returns its neighbour with an earlier deadline, or null. */
    @Nullable
    T earlier();

    /** Sets its neighbour with an earlier deadline. */
    void setEarlier(@Nullable T other);

    /** Returns its neighbour with a later deadline, or null. */
    @Nullable
    T later();

    /** Sets its neighbour with a later deadline. */
    void setLater(@Nullable T other);
}
