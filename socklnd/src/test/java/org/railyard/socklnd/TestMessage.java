package org.railyard.socklnd;

import java.nio.ByteBuffer;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;

/** A message whose owner is a test. */
final class TestMessage implements LndMessage {
    final LNetHeader header = new LNetHeader();
    ByteBuffer[] fragments;
    Nid nextHop = Nid.ANY;
    int nextHopPid = ProcessId.LUSTRE_PID;
    long timeoutNanos;
    private final int length;

    TestMessage(ByteBuffer... fragments) {
        this.fragments = fragments;
        int sum = 0;
        for (ByteBuffer fragment : fragments) {
            sum += fragment.remaining();
        }
        this.length = sum;
    }

    /** A PUT of bytes that count up. */
    static TestMessage put(Nid from, Nid to, int payload, long bits) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(payload);
        for (int i = 0; i < payload; i++) {
            bytes.put(i, pattern(bits, i));
        }
        return put(from, to, bits, bytes);
    }

    static TestMessage put(Nid from, Nid to, long bits, ByteBuffer... fragments) {
        TestMessage message = new TestMessage(fragments);
        message.header.setPut(message.length, Wire.NO_COOKIE, Wire.NO_COOKIE, 7, bits, 0, 0);
        message.header.setRoute(to, ProcessId.LUSTRE_PID, from, ProcessId.LUSTRE_PID);
        message.nextHop = to;
        return message;
    }

    static byte pattern(long bits, int i) {
        return (byte) (bits * 31 + i * 7L + (i >> 8));
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
        return nextHopPid;
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
        return timeoutNanos;
    }
}
