package org.railyard.selftest.wire;

import static org.railyard.base.wire.Wire.LE32;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;

/**
 * A reply that says only how it went: that of the bulk test.
 *
 * @param status 0, or a positive errno
 */
public record StatusReply(int status) implements Reply {
    static final StructLayout LAYOUT = MemoryLayout.structLayout(LE32.withName("status"));

    private static final VarHandle STATUS = Wire.field(LAYOUT, "status");

    static StatusReply read(MemorySegment from, long at) {
        return new StatusReply((int) STATUS.get(from, at));
    }

    @Override
    public void write(MemorySegment to, long at) {
        STATUS.set(to, at, status);
    }
}
