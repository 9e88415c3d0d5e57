package org.railyard.o2iblnd;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.Wire;

/** A message whose payload is made up. */
final class TestMessage implements LndMessage {
    private final LNetHeader header;
    private final Nid nextHop;
    private final int length;
    private final ByteBuffer[] fragments;

    TestMessage(LNetHeader header, Nid nextHop, int length) {
        this.header = header;
        this.nextHop = nextHop;
        this.length = length;
        MemorySegment memory = Arena.ofAuto().allocate(Math.max(1, length));
        for (int i = 0; i < length; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, byteAt(i));
        }
        this.fragments = new ByteBuffer[] {memory.asSlice(0, length).asByteBuffer()};
    }

    static TestMessage put(Nid from, Nid to, int length) {
        LNetHeader header = new LNetHeader();
        header.setPut(length, Wire.NO_COOKIE, Wire.NO_COOKIE, 7, 1, 0, 0);
        header.setRoute(to, ProcessId.LUSTRE_PID, from, ProcessId.LUSTRE_PID);
        return new TestMessage(header, to, length);
    }

    static byte byteAt(int i) {
        return (byte) (i * 13 + 1);
    }

    @Override
    public LNetHeader header() {
        return header;
    }

    @Override
    public Nid nextHop() {
        return nextHop;
    }

    @Override
    public int nextHopPid() {
        return ProcessId.LUSTRE_PID;
    }

    @Override
    public int payloadLength() {
        return length;
    }

    @Override
    public ByteBuffer[] fragments() {
        return fragments;
    }

    @Override
    public int fragmentCount() {
        return fragments.length;
    }

    @Override
    public long timeoutNanos() {
        return 0;
    }
}
