package org.railyard.mad.perf;

import java.util.List;
import java.util.Optional;
import org.railyard.mad.wire.AttributeType;

/** The attributes of performance management that are known. */
public final class PerformanceAttributes {
    private static final List<AttributeType<?>> ALL = List.of(PortCounters.TYPE, PortCountersExtended.TYPE);

    private PerformanceAttributes() {}

    /** Returns the attribute of a number, if it is a known one. */
    public static Optional<AttributeType<?>> find(int id) {
        return AttributeType.find(ALL, id);
    }
}
