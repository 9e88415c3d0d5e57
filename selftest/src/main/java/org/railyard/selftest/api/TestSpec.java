package org.railyard.selftest.api;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.wire.Wire;
import org.railyard.selftest.wire.BrwRequest;
import org.railyard.selftest.wire.Pattern;
import org.railyard.selftest.wire.TestParameters;
import org.railyard.selftest.wire.TestRequest;

/**
 * A test (spec 03 §6).
 *
 * @param from the group whose nodes call
 * @param to the group whose nodes are called
 * @param loop calls of each unit, {@link TestRequest#FOR_EVER} for no end
 * @param concurrency units for each target, 1…1024
 * @param distribute so many neighbours in {@code from} have the same targets
 * @param span each node calls so many targets
 * @param bulk what the bulk test does; null for the ping test
 */
public record TestSpec(
        String from,
        String to,
        int loop,
        int concurrency,
        int distribute,
        int span,
        TestParameters.@Nullable Bulk bulk) {
    /** Most nodes of a session. */
    public static final int MAX_NODES = 1 << 14;

    /** Most units for each target. */
    public static final int MAX_CONCURRENCY = 1024;

    /**
     * Checks the numbers. What kernel nodes would not survive is refused as well (spec 03 §3.9).
     *
     * @throws ErrnoException EINVAL if one is out of range
     */
    public TestSpec {
        check(loop > 0 || loop == TestRequest.FOR_EVER, "loop " + loop, "above 0, or -1 for no end");
        check(concurrency >= 1 && concurrency <= MAX_CONCURRENCY, "concurrency " + concurrency, "1…" + MAX_CONCURRENCY);
        check(distribute >= 1 && span >= 1, "distribution " + distribute + ":" + span, "two numbers above 0");
        if (bulk != null) {
            boolean known = bulk.operation() == BrwRequest.READ || bulk.operation() == BrwRequest.WRITE;
            check(known, "operation " + bulk.operation(), "read or write");
            check(Pattern.of(bulk.check()) != null, "check " + bulk.check(), "none, simple or full");
            check(
                    bulk.length() > 0 && bulk.length() <= Wire.MTU && bulk.length() % Long.BYTES == 0,
                    "size " + bulk.length(),
                    "a multiple of 8 up to " + Wire.MTU);
            check(
                    bulk.offset() >= 0 && bulk.offset() < Pattern.PAGE && bulk.offset() % Long.BYTES == 0,
                    "offset " + bulk.offset(),
                    "a multiple of 8 below " + Pattern.PAGE);
        }
    }

    /**
     * Returns a ping test.
     *
     * @throws ErrnoException EINVAL if a number is out of range
     */
    public static TestSpec ping(String from, String to, int loop, int concurrency, int distribute, int span) {
        return new TestSpec(from, to, loop, concurrency, distribute, span, null);
    }

    /**
     * Returns a bulk test.
     *
     * @throws ErrnoException EINVAL if a number is out of range
     */
    public static TestSpec bulk(
            String from, String to, int loop, int concurrency, int distribute, int span, TestParameters.Bulk bulk) {
        return new TestSpec(from, to, loop, concurrency, distribute, span, bulk);
    }

    /** Returns the same test between other groups. */
    public TestSpec between(String callers, String called) {
        return new TestSpec(callers, called, loop, concurrency, distribute, span, bulk);
    }

    private static void check(boolean good, String found, String expected) {
        if (!good) {
            throw new ErrnoException(Errno.EINVAL, found + "; expected " + expected);
        }
    }
}
