package org.railyard.cli.demo;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLong;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;

/**
 * The node that is written to and read from. Each slot has several sinks for PUTs, of which its client takes another
 * one after each failure, so that what comes late meets nothing newer there, and a source for GETs. Checks what
 * arrives.
 */
final class DemoTarget {
    static final int PORTAL = 40;
    static final int BULK = 1 << 20;

    private static final int SINKS = 8;
    private static final long GET_BITS = 1L << 32;

    private final AtomicLong wrong = new AtomicLong();
    private final AtomicLong twice = new AtomicLong();

    DemoTarget(LNet node, Arena arena, int slots) {
        for (int slot = 0; slot < slots; slot++) {
            LateArrivals deliveries = new LateArrivals();
            for (int number = 0; number < SINKS; number++) {
                MemorySegment sink = arena.allocate(BULK, 64);
                node.attach(
                        MeConfig.of(PORTAL, putBits(slot, number)),
                        MdConfig.of(sink)
                                .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE, MdOption.TRUNCATE)
                                .withHandler(event -> check(event, sink, deliveries)));
            }
            MemorySegment source = arena.allocate(BULK, 64);
            stamp(source, BULK, slot);
            node.attach(
                    MeConfig.of(PORTAL, getBits(slot)),
                    MdConfig.of(source).withOptions(MdOption.OP_GET, MdOption.MANAGE_REMOTE, MdOption.TRUNCATE));
        }
    }

    /** Returns the match bits of a slot's sink after so many failures. */
    static long putBits(int slot, long failures) {
        return (long) slot * SINKS + failures % SINKS;
    }

    static long getBits(int slot) {
        return GET_BITS | slot;
    }

    /** Marks both ends of some bytes with a number. */
    static void stamp(MemorySegment memory, int length, long number) {
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, number);
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, length - Long.BYTES, number);
    }

    /** Tells whether both ends of some bytes carry a number. */
    static boolean isStamped(MemorySegment memory, int length, long number) {
        return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, 0) == number
                && memory.get(ValueLayout.JAVA_LONG_UNALIGNED, length - Long.BYTES) == number;
    }

    private void check(Event event, MemorySegment sink, LateArrivals deliveries) {
        if (event.kind() == EventKind.PUT && event.status() == 0) {
            if (!deliveries.isNew(event.hdrData())) {
                twice.incrementAndGet();
            }
            if (!isStamped(sink, event.mlength(), event.hdrData())) {
                wrong.incrementAndGet();
            }
        }
    }

    /** Returns how often LNet delivered the same attempt once more. */
    long twice() {
        return twice.get();
    }

    /** Returns how many PUTs arrived with other bytes than were sent. */
    long wrong() {
        return wrong.get();
    }
}
