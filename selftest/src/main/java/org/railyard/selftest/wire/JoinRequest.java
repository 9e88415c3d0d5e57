package org.railyard.selftest.wire;

import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;

/**
 * Asks a console for a place in a group (spec 03 §2).
 *
 * @param replyId match bits of the reply
 * @param session the session, any if none
 * @param group name of the group
 */
public record JoinRequest(long replyId, SessionId session, String group) implements Request {
    static final StructLayout LAYOUT = MemoryLayout.structLayout(
            LE64.withName("rpyid"), SessionId.LAYOUT.withName("sid"), Text.LAYOUT.withName("group"));

    private static final VarHandle REPLY_ID = Wire.field(LAYOUT, "rpyid");
    private static final long SESSION = Wire.offsetOf(LAYOUT, "sid");
    private static final long GROUP = Wire.offsetOf(LAYOUT, "group");

    static JoinRequest read(MemorySegment from, long at) {
        return new JoinRequest(
                (long) REPLY_ID.get(from, at), SessionId.read(from, at + SESSION), Text.read(from, at + GROUP));
    }

    @Override
    public void write(MemorySegment to, long at) {
        REPLY_ID.set(to, at, replyId);
        session.write(to, at + SESSION);
        Text.write(to, at + GROUP, group);
    }
}
