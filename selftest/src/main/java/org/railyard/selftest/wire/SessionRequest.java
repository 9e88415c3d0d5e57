package org.railyard.selftest.wire;

import static org.railyard.base.wire.Wire.LE32;
import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;

/**
 * Asks about a session, or to leave it: REMOVE_SESSION, DEBUG and STAT have one form (spec 03 §2).
 *
 * @param replyId match bits of the reply
 * @param session the session
 * @param word flags of DEBUG, type of STAT: 0
 */
public record SessionRequest(long replyId, SessionId session, int word) implements Request {
    static final StructLayout LAYOUT =
            MemoryLayout.structLayout(LE64.withName("rpyid"), SessionId.LAYOUT.withName("sid"), LE32.withName("word"));

    private static final VarHandle REPLY_ID = Wire.field(LAYOUT, "rpyid");
    private static final long SESSION = Wire.offsetOf(LAYOUT, "sid");
    private static final VarHandle WORD = Wire.field(LAYOUT, "word");

    static SessionRequest read(MemorySegment from, long at) {
        return new SessionRequest(
                (long) REPLY_ID.get(from, at), SessionId.read(from, at + SESSION), (int) WORD.get(from, at));
    }

    @Override
    public void write(MemorySegment to, long at) {
        REPLY_ID.set(to, at, replyId);
        session.write(to, at + SESSION);
        WORD.set(to, at, word);
    }
}
