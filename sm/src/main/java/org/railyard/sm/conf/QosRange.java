package org.railyard.sm.conf;

import java.util.List;

/**
 * Numbers of a QoS policy, from the first to the last, both without sign.
 *
 * @param from the first
 * @param to the last, not less
 */
public record QosRange(long from, long to) {
    /** Checks the order. */
    public QosRange {
        if (Long.compareUnsigned(from, to) > 0) {
            throw new IllegalArgumentException("0x%x-0x%x: the last is less than the first".formatted(from, to));
        }
    }

    /** Tells whether one of some ranges has a number. */
    static boolean anyHas(List<QosRange> ranges, long number) {
        for (QosRange range : ranges) {
            if (Long.compareUnsigned(number, range.from) >= 0 && Long.compareUnsigned(number, range.to) <= 0) {
                return true;
            }
        }
        return false;
    }
}
