package org.railyard.itest.netns;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;

/**
 * What {@link RailTraffic} writes to and reads from. Each slot has several sinks, of which its client takes another one
 * after each failure: what comes late out of a dead rail meets nothing newer there. Notices what is delivered twice.
 */
final class RailTarget {
    static final int PORTAL = 41;
    static final int SLOTS = 8;
    static final int SINKS = 16;

    private static final long SOURCE = 1L << 32;

    private final AtomicLong good = new AtomicLong();
    private final AtomicLong bad = new AtomicLong();
    private final AtomicLong twice = new AtomicLong();
    private final BitSet[] seen = new BitSet[SLOTS];

    /** Makes it, for transactions of so many bytes. */
    RailTarget(LNet node, Arena arena, int bytes) {
        for (int slot = 0; slot < SLOTS; slot++) {
            seen[slot] = new BitSet();
            for (int sink = 0; sink < SINKS; sink++) {
                MemorySegment memory = arena.allocate(bytes, 64);
                node.attach(
                        MeConfig.of(PORTAL, putBits(slot, sink)),
                        MdConfig.of(memory)
                                .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                                .withHandler(event -> check(event, memory)));
            }
            MemorySegment source = arena.allocate(bytes, 64);
            Pattern.fill(source, bytes, getBits(slot));
            node.attach(
                    MeConfig.of(PORTAL, getBits(slot)),
                    MdConfig.of(source).withOptions(MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        }
    }

    static long putBits(int slot, long sink) {
        return (long) slot * SINKS + sink % SINKS;
    }

    static long getBits(int slot) {
        return SOURCE | slot;
    }

    /** Returns the number of a transaction, which no other one has. */
    static long number(int slot, int count) {
        return (long) slot << 32 | count;
    }

    private void check(Event event, MemorySegment memory) {
        if (event.kind() != EventKind.PUT || event.status() != 0) {
            return;
        }
        long number = event.hdrData();
        BitSet numbers = seen[(int) (number >>> 32)];
        synchronized (numbers) {
            if (numbers.get((int) number)) {
                twice.incrementAndGet();
            }
            numbers.set((int) number);
        }
        (Pattern.isIn(memory, event.mlength(), number) ? good : bad).incrementAndGet();
    }

    @Override
    public String toString() {
        return "good " + good + " bad " + bad + " twice " + twice;
    }
}
