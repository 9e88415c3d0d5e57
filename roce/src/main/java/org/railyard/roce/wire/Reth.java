package org.railyard.roce.wire;

import static org.railyard.base.wire.Wire.BE32;
import static org.railyard.base.wire.Wire.BE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;

/** The header of an RDMA WRITE: where to. */
public final class Reth {
    private static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    BE64.withName("address"), BE32.withName("key"), BE32.withName("length"))
            .withName("reth");

    /** Bytes of the structure. */
    public static final int BYTES = (int) LAYOUT.byteSize();

    private static final VarHandle ADDRESS = Wire.field(LAYOUT, "address");
    private static final VarHandle KEY = Wire.field(LAYOUT, "key");
    private static final VarHandle LENGTH = Wire.field(LAYOUT, "length");

    private Reth() {}

    static void write(MemorySegment to, long at, long address, int key, int length) {
        ADDRESS.set(to, at, address);
        KEY.set(to, at, key);
        LENGTH.set(to, at, length);
    }

    static long address(MemorySegment from, long at) {
        return (long) ADDRESS.get(from, at);
    }

    static int key(MemorySegment from, long at) {
        return (int) KEY.get(from, at);
    }

    static long length(MemorySegment from, long at) {
        return Integer.toUnsignedLong((int) LENGTH.get(from, at));
    }
}
