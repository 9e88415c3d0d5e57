package org.railyard.selftest.wire;

import static org.railyard.base.wire.Wire.LE32;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;

/**
 * The reply of the ping test.
 *
 * @param status 0, or a positive errno
 * @param magic that of the request
 * @param sequence that of the request
 */
public record PingTestReply(int status, int magic, int sequence) implements Reply {
    static final StructLayout LAYOUT =
            MemoryLayout.structLayout(LE32.withName("status"), LE32.withName("magic"), LE32.withName("seq"));

    private static final VarHandle STATUS = Wire.field(LAYOUT, "status");
    private static final VarHandle MAGIC = Wire.field(LAYOUT, "magic");
    private static final VarHandle SEQUENCE = Wire.field(LAYOUT, "seq");

    static PingTestReply read(MemorySegment from, long at) {
        return new PingTestReply((int) STATUS.get(from, at), (int) MAGIC.get(from, at), (int) SEQUENCE.get(from, at));
    }

    @Override
    public void write(MemorySegment to, long at) {
        STATUS.set(to, at, status);
        MAGIC.set(to, at, magic);
        SEQUENCE.set(to, at, sequence);
    }
}
