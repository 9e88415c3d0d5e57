package org.railyard.selftest.wire;

import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.nid.Nid;

/**
 * The name of a session (spec 03 §1.6).
 *
 * @param nid4 the primary NID of the console's node
 * @param stamp when it was made, ms
 */
public record SessionId(long nid4, long stamp) {
    static final StructLayout LAYOUT = MemoryLayout.structLayout(LE64.withName("nid"), LE64.withName("stamp"))
            .withName("sid");

    private static final VarHandle NID = Wire.field(LAYOUT, "nid");
    private static final VarHandle STAMP = Wire.field(LAYOUT, "stamp");

    /** No session; in a request, whatever session there is. */
    public static final SessionId NONE = new SessionId(Nid.ANY_NID4, -1);

    /** Tells whether it names no session: any NID. */
    public boolean isNone() {
        return nid4 == Nid.ANY_NID4;
    }

    static SessionId read(MemorySegment from, long at) {
        return new SessionId((long) NID.get(from, at), (long) STAMP.get(from, at));
    }

    void write(MemorySegment to, long at) {
        NID.set(to, at, nid4);
        STAMP.set(to, at, stamp);
    }

    @Override
    public String toString() {
        return isNone() ? "none" : Nid.ofNid4(nid4) + ":" + stamp;
    }
}
