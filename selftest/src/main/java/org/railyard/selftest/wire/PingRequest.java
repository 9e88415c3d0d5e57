package org.railyard.selftest.wire;

import static org.railyard.base.wire.Wire.LE32;
import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;

/**
 * The request of the ping test (spec 03 §2).
 *
 * @param replyId match bits of the reply
 * @param magic {@link #WORD}
 * @param sequence number that the reply repeats
 * @param seconds wall-clock time, s
 * @param nanos and ns
 */
public record PingRequest(long replyId, int magic, int sequence, long seconds, long nanos) implements Request {
    static final StructLayout LAYOUT = MemoryLayout.structLayout(
            LE64.withName("rpyid"),
            LE32.withName("magic"),
            LE32.withName("seq"),
            LE64.withName("time_sec"),
            LE64.withName("time_nsec"));

    private static final VarHandle REPLY_ID = Wire.field(LAYOUT, "rpyid");
    private static final VarHandle MAGIC = Wire.field(LAYOUT, "magic");
    private static final VarHandle SEQUENCE = Wire.field(LAYOUT, "seq");
    private static final VarHandle SECONDS = Wire.field(LAYOUT, "time_sec");
    private static final VarHandle NANOS = Wire.field(LAYOUT, "time_nsec");

    static PingRequest read(MemorySegment from, long at) {
        return new PingRequest(
                (long) REPLY_ID.get(from, at),
                (int) MAGIC.get(from, at),
                (int) SEQUENCE.get(from, at),
                (long) SECONDS.get(from, at),
                (long) NANOS.get(from, at));
    }

    @Override
    public void write(MemorySegment to, long at) {
        REPLY_ID.set(to, at, replyId);
        MAGIC.set(to, at, magic);
        SEQUENCE.set(to, at, sequence);
        SECONDS.set(to, at, seconds);
        NANOS.set(to, at, nanos);
    }

    /** What both request and reply begin with. */
    public static final int WORD = 0xbabeface;
}
