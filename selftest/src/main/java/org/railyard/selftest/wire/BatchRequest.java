package org.railyard.selftest.wire;

import static org.railyard.base.wire.Wire.LE32;
import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;

/**
 * Asks about a batch, or to start or stop it (spec 03 §2).
 *
 * @param replyId match bits of the reply
 * @param session the session
 * @param batch the batch
 * @param operation {@link #RUN}, {@link #STOP} or {@link #QUERY}
 * @param test number of a test, from 1 on; 0 for all
 * @param argument of STOP: 1 to end what is under way as well
 */
public record BatchRequest(long replyId, SessionId session, long batch, int operation, int test, int argument)
        implements Request {
    static final StructLayout LAYOUT = MemoryLayout.structLayout(
            LE64.withName("rpyid"),
            SessionId.LAYOUT.withName("sid"),
            LE64.withName("bid"),
            LE32.withName("opc"),
            LE32.withName("testidx"),
            LE32.withName("arg"));

    private static final VarHandle REPLY_ID = Wire.field(LAYOUT, "rpyid");
    private static final long SESSION = Wire.offsetOf(LAYOUT, "sid");
    private static final VarHandle BATCH = Wire.field(LAYOUT, "bid");
    private static final VarHandle OPERATION = Wire.field(LAYOUT, "opc");
    private static final VarHandle TEST = Wire.field(LAYOUT, "testidx");
    private static final VarHandle ARGUMENT = Wire.field(LAYOUT, "arg");

    static BatchRequest read(MemorySegment from, long at) {
        return new BatchRequest(
                (long) REPLY_ID.get(from, at),
                SessionId.read(from, at + SESSION),
                (long) BATCH.get(from, at),
                (int) OPERATION.get(from, at),
                (int) TEST.get(from, at),
                (int) ARGUMENT.get(from, at));
    }

    @Override
    public void write(MemorySegment to, long at) {
        REPLY_ID.set(to, at, replyId);
        session.write(to, at + SESSION);
        BATCH.set(to, at, batch);
        OPERATION.set(to, at, operation);
        TEST.set(to, at, test);
        ARGUMENT.set(to, at, argument);
    }

    /** Starts the tests. */
    public static final int RUN = 1;

    /** Stops the tests. */
    public static final int STOP = 2;

    /** Asks how many are running. */
    public static final int QUERY = 3;
}
