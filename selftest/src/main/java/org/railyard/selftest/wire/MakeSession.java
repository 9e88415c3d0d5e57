package org.railyard.selftest.wire;

import static org.railyard.base.wire.Wire.LE32;
import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;

/**
 * Asks a node to take part in a session (spec 03 §2).
 *
 * @param replyId match bits of the reply
 * @param session the session
 * @param force whether another session of the node ends for it
 * @param name name of the session
 */
public record MakeSession(long replyId, SessionId session, boolean force, String name) implements Request {
    static final StructLayout LAYOUT = MemoryLayout.structLayout(
            LE64.withName("rpyid"),
            SessionId.LAYOUT.withName("sid"),
            LE32.withName("force"),
            Text.LAYOUT.withName("name"));

    private static final VarHandle REPLY_ID = Wire.field(LAYOUT, "rpyid");
    private static final long SESSION = Wire.offsetOf(LAYOUT, "sid");
    private static final VarHandle FORCE = Wire.field(LAYOUT, "force");
    private static final long NAME = Wire.offsetOf(LAYOUT, "name");

    static MakeSession read(MemorySegment from, long at) {
        return new MakeSession(
                (long) REPLY_ID.get(from, at),
                SessionId.read(from, at + SESSION),
                (int) FORCE.get(from, at) != 0,
                Text.read(from, at + NAME));
    }

    @Override
    public void write(MemorySegment to, long at) {
        REPLY_ID.set(to, at, replyId);
        session.write(to, at + SESSION);
        FORCE.set(to, at, force ? 1 : 0);
        Text.write(to, at + NAME, name);
    }
}
