package org.railyard.roce.wire;

import static org.railyard.base.wire.Wire.BE32;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;

/** The header of a datagram: who may receive it, and which queue pair it is from. */
public final class Deth {
    /** The key of queue pair 1, the connection manager's. */
    public static final int MANAGER_KEY = 0x8001_0000;

    private static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    BE32.withName("key"), BE32.withName("sourceQp"))
            .withName("deth");

    /** Bytes of the structure. */
    public static final int BYTES = (int) LAYOUT.byteSize();

    private static final VarHandle KEY = Wire.field(LAYOUT, "key");
    private static final VarHandle SOURCE_QP = Wire.field(LAYOUT, "sourceQp");

    private Deth() {}

    static void write(MemorySegment to, long at, int key, int sourceQp) {
        KEY.set(to, at, key);
        SOURCE_QP.set(to, at, sourceQp);
    }

    static int key(MemorySegment from, long at) {
        return (int) KEY.get(from, at);
    }

    static int sourceQp(MemorySegment from, long at) {
        return (int) SOURCE_QP.get(from, at) & Psn.MASK;
    }
}
