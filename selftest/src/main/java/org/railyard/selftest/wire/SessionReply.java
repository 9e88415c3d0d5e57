package org.railyard.selftest.wire;

import static org.railyard.base.wire.Wire.LE32;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;

/**
 * The reply to REMOVE_SESSION and TEST.
 *
 * @param status 0, or a positive errno
 * @param session the session of the node
 */
public record SessionReply(int status, SessionId session) implements Reply {
    static final StructLayout LAYOUT =
            MemoryLayout.structLayout(LE32.withName("status"), SessionId.LAYOUT.withName("sid"));

    private static final VarHandle STATUS = Wire.field(LAYOUT, "status");
    private static final long SESSION = Wire.offsetOf(LAYOUT, "sid");

    static SessionReply read(MemorySegment from, long at) {
        return new SessionReply((int) STATUS.get(from, at), SessionId.read(from, at + SESSION));
    }

    @Override
    public void write(MemorySegment to, long at) {
        STATUS.set(to, at, status);
        session.write(to, at + SESSION);
    }
}
