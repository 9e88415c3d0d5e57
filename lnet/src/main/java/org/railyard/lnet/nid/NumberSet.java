package org.railyard.lnet.nid;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The numbers that one component of an address or net pattern stands for, as they were written: {@code 7}, {@code
 * [1-5/2,9]} (spec 01 §1.4). Immutable.
 */
record NumberSet(List<Range> ranges) {
    /**
     * Every {@code stride}th number from {@code low} to {@code high}, both included.
     */
    record Range(long low, long high, long stride) {
        boolean matches(long value) {
            return low <= value && value <= high && (value - low) % stride == 0;
        }

        long count() {
            return (high - low) / stride + 1;
        }

        @Override
        public String toString() {
            return low == high ? Long.toString(low) : low + "-" + high + (stride == 1 ? "" : "/" + stride);
        }
    }

    NumberSet {
        ranges = List.copyOf(ranges);
    }

    static NumberSet single(long value) {
        return between(value, value);
    }

    static NumberSet between(long low, long high) {
        return new NumberSet(List.of(new Range(low, high, 1)));
    }

    /**
     * Reads a number, or a list in brackets.
     *
     * @param max largest number
     * @param what the name of such a number in messages
     */
    static NumberSet read(TextCursor in, long max, String what) {
        if (!in.accept('[')) {
            return single(in.number(max, what + " 0…" + max + ", or '['"));
        }
        List<Range> ranges = new ArrayList<>();
        do {
            in.skipBlanks();
            ranges.add(readRange(in, max, what));
            in.skipBlanks();
        } while (in.accept(','));
        in.expect(']', "'-', ',' or ']'");
        return new NumberSet(ranges);
    }

    private static Range readRange(TextCursor in, long max, String what) {
        long low = in.number(max, what + " 0…" + max);
        in.skipBlanks();
        if (!in.accept('-')) {
            return new Range(low, low, 1);
        }
        in.skipBlanks();
        int highAt = in.position();
        long high = in.number(max, what + " 0…" + max);
        if (high < low) {
            in.moveTo(highAt);
            throw in.fail("a number not below " + low);
        }
        in.skipBlanks();
        long stride = 1;
        if (in.accept('/')) {
            in.skipBlanks();
            int strideAt = in.position();
            stride = in.number(max, "a stride 1…" + max);
            if (stride == 0) {
                in.moveTo(strideAt);
                throw in.fail("a stride 1…" + max);
            }
        }
        // A range of one number has no stride worth keeping; so equal sets that are written alike are equal.
        return new Range(low, high, low == high ? 1 : stride);
    }

    boolean matches(long value) {
        for (int i = 0; i < ranges.size(); i++) {
            if (ranges.get(i).matches(value)) {
                return true;
            }
        }
        return false;
    }

    /** Returns how many numbers {@link #values()} has. */
    long count() {
        return ranges.stream().mapToLong(Range::count).sum();
    }

    /** Returns the numbers in the order they were written. Look at {@link #count()} first. */
    long[] values() {
        long[] values = new long[Math.toIntExact(count())];
        int n = 0;
        for (Range range : ranges) {
            for (long value = range.low(); value <= range.high(); value += range.stride()) {
                values[n++] = value;
            }
        }
        return values;
    }

    @Override
    public String toString() {
        if (ranges.size() == 1 && ranges.getFirst().low() == ranges.getFirst().high()) {
            return ranges.getFirst().toString();
        }
        return ranges.stream().map(Range::toString).collect(Collectors.joining(",", "[", "]"));
    }
}
