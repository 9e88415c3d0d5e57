package org.railyard.o2iblnd;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;

/** A message whose payload is made up. */
final class TestMessage implements LndMessage {
    private final LNetHeader header;
    private final Nid nextHop;
    private final int length;
    private final ByteBuffer[] fragments;

    private TestMessage(LNetHeader header, Nid nextHop, int length, ByteBuffer[] fragments) {
        this.header = header;
        this.nextHop = nextHop;
        this.length = length;
        this.fragments = fragments;
    }

    TestMessage(LNetHeader header, Nid nextHop, int length) {
        this(header, nextHop, length, fragments(length));
    }

    private static ByteBuffer[] fragments(int length) {
        MemorySegment memory = Arena.ofAuto().allocate(Math.max(1, length));
        for (int i = 0; i < length; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, byteAt(i));
        }
        return new ByteBuffer[] {memory.asSlice(0, length).asByteBuffer()};
    }

    static TestMessage put(Nid from, Nid to, int length) {
        LNetHeader header = new LNetHeader();
        header.setPut(length, Wire.NO_COOKIE, Wire.NO_COOKIE, 7, 1, 0, 0);
        header.setRoute(to, ProcessId.LUSTRE_PID, from, ProcessId.LUSTRE_PID);
        return new TestMessage(header, to, length);
    }

    static TestMessage get(Nid from, Nid to, int length) {
        LNetHeader header = new LNetHeader();
        header.setGet(3, 4, 7, 1, 0, length);
        header.setRoute(to, ProcessId.LUSTRE_PID, from, ProcessId.LUSTRE_PID);
        return new TestMessage(header, to, 0);
    }

    /** Returns the REPLY to a GET, with memory of zeros. */
    static TestMessage replyTo(LndMessage get) {
        LNetHeader header = new LNetHeader();
        int length = get.header().sinkLength();
        header.setReply(length, 3, 4);
        return new TestMessage(header, Nid.ANY, length, new ByteBuffer[] {ByteBuffer.allocateDirect(length)});
    }

    /** Tells whether the beginning of its payload is as that of a made-up message, and the rest zero. */
    boolean holds(int bytes) {
        for (int i = 0; i < length; i++) {
            if (fragments[0].get(i) != (i < bytes ? byteAt(i) : 0)) {
                return false;
            }
        }
        return true;
    }

    /** Returns a message with the same header, and a payload in given pieces. */
    TestMessage over(List<MemorySegment> pieces) {
        return new TestMessage(
                header,
                nextHop,
                length,
                pieces.stream().map(MemorySegment::asByteBuffer).toArray(ByteBuffer[]::new));
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
