package org.railyard.selftest.wire;

import static org.railyard.base.wire.Wire.LE32;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;

/**
 * The reply to BATCH.
 *
 * @param status 0, or a positive errno
 * @param session the session of the node
 * @param active tests, or units of one test, that are running
 * @param time 0
 */
public record BatchReply(int status, SessionId session, int active, int time) implements Reply {
    static final StructLayout LAYOUT = MemoryLayout.structLayout(
            LE32.withName("status"), SessionId.LAYOUT.withName("sid"), LE32.withName("active"), LE32.withName("time"));

    private static final VarHandle STATUS = Wire.field(LAYOUT, "status");
    private static final long SESSION = Wire.offsetOf(LAYOUT, "sid");
    private static final VarHandle ACTIVE = Wire.field(LAYOUT, "active");
    private static final VarHandle TIME = Wire.field(LAYOUT, "time");

    static BatchReply read(MemorySegment from, long at) {
        return new BatchReply(
                (int) STATUS.get(from, at), SessionId.read(from, at + SESSION), (int) ACTIVE.get(from, at), (int)
                        TIME.get(from, at));
    }

    @Override
    public void write(MemorySegment to, long at) {
        STATUS.set(to, at, status);
        session.write(to, at + SESSION);
        ACTIVE.set(to, at, active);
        TIME.set(to, at, time);
    }
}
