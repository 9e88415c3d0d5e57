package org.railyard.selftest.wire;

import static org.railyard.base.wire.Wire.LE32;
import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;

/**
 * The request of the bulk test (spec 03 §2).
 *
 * @param replyId match bits of the reply
 * @param bulkId match bits of the memory
 * @param operation {@link #READ} or {@link #WRITE}
 * @param length bytes
 * @param check how data is checked: a {@link Pattern}
 */
public record BrwRequest(long replyId, long bulkId, int operation, int length, int check) implements Request {
    static final StructLayout LAYOUT = MemoryLayout.structLayout(
            LE64.withName("rpyid"),
            LE64.withName("bulkid"),
            LE32.withName("rw"),
            LE32.withName("len"),
            LE32.withName("flags"));

    private static final VarHandle REPLY_ID = Wire.field(LAYOUT, "rpyid");
    private static final VarHandle BULK_ID = Wire.field(LAYOUT, "bulkid");
    private static final VarHandle OPERATION = Wire.field(LAYOUT, "rw");
    private static final VarHandle LENGTH = Wire.field(LAYOUT, "len");
    private static final VarHandle CHECK = Wire.field(LAYOUT, "flags");

    static BrwRequest read(MemorySegment from, long at) {
        return new BrwRequest(
                (long) REPLY_ID.get(from, at),
                (long) BULK_ID.get(from, at),
                (int) OPERATION.get(from, at),
                (int) LENGTH.get(from, at),
                (int) CHECK.get(from, at));
    }

    @Override
    public void write(MemorySegment to, long at) {
        REPLY_ID.set(to, at, replyId);
        BULK_ID.set(to, at, bulkId);
        OPERATION.set(to, at, operation);
        LENGTH.set(to, at, length);
        CHECK.set(to, at, check);
    }

    /** The server writes to the client. */
    public static final int READ = 1;

    /** The server reads from the client. */
    public static final int WRITE = 2;
}
