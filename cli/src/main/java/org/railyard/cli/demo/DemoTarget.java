package org.railyard.cli.demo;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLong;
import org.railyard.lnet.Event;
import org.railyard.lnet.EventKind;
import org.railyard.lnet.LNet;
import org.railyard.lnet.MdConfig;
import org.railyard.lnet.MdOption;
import org.railyard.lnet.MeConfig;

/** The node that is written to and read from: per slot one memory descriptor for PUTs and one for GETs. Checks what arrives. */
final class DemoTarget {
    static final int PORTAL = 40;
    static final int BULK = 1 << 20;

    private static final long GET_BITS = 1L << 32;

    private final AtomicLong wrong = new AtomicLong();
    private final AtomicLong arrived = new AtomicLong();

    DemoTarget(LNet node, Arena arena, int slots) {
        for (int slot = 0; slot < slots; slot++) {
            MemorySegment sink = arena.allocate(BULK, 64);
            node.attach(
                    MeConfig.of(PORTAL, putBits(slot)),
                    MdConfig.of(sink)
                            .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE, MdOption.TRUNCATE)
                            .withHandler(event -> check(event, sink)));
            MemorySegment source = arena.allocate(BULK, 64);
            stamp(source, BULK, slot);
            node.attach(
                    MeConfig.of(PORTAL, getBits(slot)),
                    MdConfig.of(source).withOptions(MdOption.OP_GET, MdOption.MANAGE_REMOTE, MdOption.TRUNCATE));
        }
    }

    static long putBits(int slot) {
        return slot;
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

    private void check(Event event, MemorySegment sink) {
        if (event.kind() == EventKind.PUT && event.status() == 0) {
            arrived.incrementAndGet();
            if (!isStamped(sink, event.mlength(), event.hdrData())) {
                wrong.incrementAndGet();
            }
        }
    }

    /** Returns how many PUTs arrived, repeated ones included. */
    long arrived() {
        return arrived.get();
    }

    /** Returns how many PUTs arrived with other bytes than were sent. */
    long wrong() {
        return wrong.get();
    }
}
