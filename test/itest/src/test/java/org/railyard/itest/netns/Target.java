package org.railyard.itest.netns;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;

/**
 * What others write to and read from: per slot a source and several sinks, checked after each PUT. Clients choose the
 * sink ({@link SinkChoice}).
 */
final class Target {
    static final int PORTAL = 40;
    static final int SLOTS = 4;
    static final int SINKS = 16;

    private static final long SOURCE = 1L << 32;

    private final AtomicLong good = new AtomicLong();
    private final AtomicLong bad = new AtomicLong();

    Target(LNet node, Arena arena) {
        for (int slot = 0; slot < SLOTS; slot++) {
            for (int number = 0; number < SINKS; number++) {
                MemorySegment sink = arena.allocate(Wire.MTU, 64);
                node.attach(
                        MeConfig.of(PORTAL, putBits(slot, number)),
                        MdConfig.of(sink)
                                .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE, MdOption.TRUNCATE)
                                .withHandler(event -> check(event, sink)));
            }
            MemorySegment source = arena.allocate(Wire.MTU, 64);
            Pattern.fill(source, Wire.MTU, getBits(slot));
            node.attach(
                    MeConfig.of(PORTAL, getBits(slot)),
                    MdConfig.of(source).withOptions(MdOption.OP_GET, MdOption.MANAGE_REMOTE, MdOption.TRUNCATE));
        }
    }

    static long putBits(int slot, long sink) {
        return (long) slot * SINKS + sink % SINKS;
    }

    static long getBits(int slot) {
        return SOURCE | slot;
    }

    private void check(Event event, MemorySegment sink) {
        if (event.kind() == EventKind.PUT && event.status() == 0) {
            (Pattern.isIn(sink, event.mlength(), event.hdrData()) ? good : bad).incrementAndGet();
        }
    }

    long good() {
        return good.get();
    }

    long bad() {
        return bad.get();
    }
}
