package org.railyard.selftest.wire;

import static org.railyard.base.wire.Wire.LE32;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;

/**
 * The reply to DEBUG.
 *
 * @param status 0, or a positive errno
 * @param session the session of the node
 * @param timeout after so long without a word the node leaves it, s
 * @param batches how many batches it has; kernel nodes say anything
 * @param name name of the session
 */
public record DebugReply(int status, SessionId session, int timeout, int batches, String name) implements Reply {
    static final StructLayout LAYOUT = MemoryLayout.structLayout(
            LE32.withName("status"),
            SessionId.LAYOUT.withName("sid"),
            LE32.withName("timeout"),
            LE32.withName("nbatch"),
            Text.LAYOUT.withName("name"));

    private static final VarHandle STATUS = Wire.field(LAYOUT, "status");
    private static final long SESSION = Wire.offsetOf(LAYOUT, "sid");
    private static final VarHandle TIMEOUT = Wire.field(LAYOUT, "timeout");
    private static final VarHandle BATCHES = Wire.field(LAYOUT, "nbatch");
    private static final long NAME = Wire.offsetOf(LAYOUT, "name");

    static DebugReply read(MemorySegment from, long at) {
        return new DebugReply(
                (int) STATUS.get(from, at),
                SessionId.read(from, at + SESSION),
                (int) TIMEOUT.get(from, at),
                (int) BATCHES.get(from, at),
                Text.read(from, at + NAME));
    }

    @Override
    public void write(MemorySegment to, long at) {
        STATUS.set(to, at, status);
        session.write(to, at + SESSION);
        TIMEOUT.set(to, at, timeout);
        BATCHES.set(to, at, batches);
        Text.write(to, at + NAME, name);
    }
}
