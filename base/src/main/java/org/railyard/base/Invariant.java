package org.railyard.base;

import java.util.Arrays;

/**
 * What holds for a data structure whatever happens to it. Methods {@code checkInvariants()} look for it in tests and in
 * simulations; where one fails, this program is wrong.
 */
public final class Invariant {
    private Invariant() {}

    /**
     * Checks one, and allocates nothing.
     *
     * @param holds whether it holds
     * @param of what it is about
     * @param expected what holds, in words
     * @throws AssertionError if it does not hold, with all of that
     */
    public static void check(boolean holds, Object of, String expected) {
        if (!holds) {
            throw new AssertionError("invariant broken: " + of + ": expected " + expected);
        }
    }

    /**
     * Checks one, and allocates nothing while it holds.
     *
     * @param holds whether it holds
     * @param of what it is about
     * @param expected what holds, in words
     * @param found the value that decides
     * @param beside what it is compared with
     * @throws AssertionError if it does not hold, with all of that
     */
    public static void check(boolean holds, Object of, String expected, long found, long beside) {
        if (!holds) {
            check(false, of, expected, (Object) found, beside);
        }
    }

    /**
     * Checks one, and allocates nothing while it holds.
     *
     * @param holds whether it holds
     * @param of what it is about
     * @param expected what holds, in words
     * @param found the value that decides
     * @throws AssertionError if it does not hold, with all of that
     */
    public static void check(boolean holds, Object of, String expected, long found) {
        if (!holds) {
            check(false, of, expected, new Object[] {found});
        }
    }

    /**
     * Checks one, and allocates nothing while it holds.
     *
     * @param holds whether it holds
     * @param of what it is about
     * @param expected what holds, in words
     * @param found what decides
     * @throws AssertionError if it does not hold, with all of that
     */
    public static void check(boolean holds, Object of, String expected, Object found) {
        if (!holds) {
            check(false, of, expected, new Object[] {found});
        }
    }

    /**
     * Checks one, and allocates nothing while it holds.
     *
     * @param holds whether it holds
     * @param of what it is about
     * @param expected what holds, in words
     * @param found the value that decides
     * @param beside what it is compared with
     * @param third what else it is compared with
     * @throws AssertionError if it does not hold, with all of that
     */
    public static void check(boolean holds, Object of, String expected, long found, long beside, long third) {
        if (!holds) {
            check(false, of, expected, new Object[] {found, beside, third});
        }
    }

    /**
     * Checks one.
     *
     * @param holds whether it holds
     * @param of what it is about
     * @param expected what holds, in words
     * @param found the values that decide
     * @throws AssertionError if it does not hold, with all of that
     */
    public static void check(boolean holds, Object of, String expected, Object... found) {
        if (!holds) {
            throw new AssertionError(
                    "invariant broken: " + of + ": expected " + expected + ", found " + Arrays.toString(found));
        }
    }
}
