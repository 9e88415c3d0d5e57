package org.railyard.cli.fabric;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.mad.perf.PortCounters;
import org.railyard.mad.perf.PortCountersExtended;

/**
 * Counters of a port as they were read.
 *
 * @param nanos when, ns, on a clock that never goes back
 * @param isWide whether traffic was counted with 64 bits, else with 32
 * @param sentWords data sent, units of 4 bytes
 * @param sentPackets packets sent
 * @param waitTicks ticks in which data waited
 * @param errors a number for each of {@link PortErrors}
 */
record PortReading(long nanos, boolean isWide, long sentWords, long sentPackets, long waitTicks, List<Long> errors) {
    /** Where counters of 32 bits stay. */
    static final long END = PortCounters.SENT_DATA.max();

    /** Copies the list. */
    PortReading {
        errors = List.copyOf(errors);
    }

    /** Takes traffic from the counters of 64 bits if there are any. */
    static PortReading of(long nanos, PortCounters counters, @Nullable PortCountersExtended extended) {
        return new PortReading(
                nanos,
                extended != null,
                extended == null ? counters.get(PortCounters.SENT_DATA) : extended.get(PortCountersExtended.SENT_DATA),
                extended == null
                        ? counters.get(PortCounters.SENT_PACKETS)
                        : extended.get(PortCountersExtended.SENT_PACKETS),
                counters.get(PortCounters.TRANSMIT_WAIT),
                Stream.of(PortErrors.values()).map(kind -> kind.of(counters)).toList());
    }
}
