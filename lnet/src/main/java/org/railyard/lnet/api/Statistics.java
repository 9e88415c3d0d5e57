package org.railyard.lnet.api;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a node counted as a whole, at one instant (spec 10 §17.2). Immutable. */
public final class Statistics {
    private final long[] values;

    /**
     * Takes values.
     *
     * @param values by the order of {@link Statistic}; copied
     */
    public Statistics(long[] values) {
        if (values.length != Statistic.values().length) {
            throw new IllegalArgumentException(
                    values.length + " values, expected one for each of " + Statistic.values().length + " statistics");
        }
        this.values = values.clone();
    }

    /** Returns one of them. */
    public long get(Statistic statistic) {
        return values[statistic.ordinal()];
    }

    /** Returns all by their keys, in the order of output. */
    public Map<String, Long> toMap() {
        Map<String, Long> map = new LinkedHashMap<>();
        for (Statistic statistic : Statistic.values()) {
            map.put(statistic.key(), get(statistic));
        }
        return Collections.unmodifiableMap(map);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Statistics that && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return toMap().toString();
    }
}
