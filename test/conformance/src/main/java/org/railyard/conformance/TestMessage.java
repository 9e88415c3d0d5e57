package org.railyard.conformance;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;

/** A message for tests of transports, with a payload that its match bits determine. Not thread-safe. */
public final class TestMessage implements LndMessage {
    /** The match bits of messages that are made without any. */
    public static final long BITS = 1;

    private final LNetHeader header;
    private final ByteBuffer[] fragments;
    private final int length;
    private Nid nextHop = Nid.ANY;
    private int nextHopPid = ProcessId.LUSTRE_PID;
    private long timeoutNanos;

    private TestMessage(LNetHeader header, ByteBuffer[] fragments) {
        this.header = header;
        this.fragments = fragments;
        int sum = 0;
        for (ByteBuffer fragment : fragments) {
            sum += fragment.remaining();
        }
        this.length = sum;
    }

    /** Makes a message to receive into. */
    public TestMessage(ByteBuffer... fragments) {
        this(new LNetHeader(), fragments);
    }

    /** Makes a message with a header and a payload of so many bytes. */
    public TestMessage(LNetHeader header, Nid nextHop, int length) {
        this(header, new ByteBuffer[] {patterned(BITS, length)});
        this.nextHop = nextHop;
    }

    /** Makes a message with so many bytes of payload and a limit, ns; 0 for that of the transport. */
    public static TestMessage of(LNetHeader header, Nid nextHop, long timeoutNanos, int bytes) {
        TestMessage message =
                bytes == 0 ? new TestMessage(header, new ByteBuffer[0]) : new TestMessage(header, nextHop, bytes);
        message.nextHop = nextHop;
        message.nextHopPid = header.destPid();
        message.timeoutNanos = timeoutNanos;
        return message;
    }

    /** Makes a message that looks like another one does, with bytes of its own. */
    public static TestMessage like(LndMessage original) {
        LNetHeader header = new LNetHeader();
        header.copyFrom(original.header());
        return of(header, original.nextHop(), 0, original.payloadLength());
    }

    private static ByteBuffer patterned(long bits, int length) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, pattern(bits, i));
        }
        return bytes;
    }

    /** Returns a byte of the payload of a PUT with match bits. */
    public static byte pattern(long bits, int i) {
        return (byte) (bits * 31 + i * 7L + (i >> 8));
    }

    /** Returns a byte of the payload of a message that was made without match bits. */
    public static byte byteAt(int i) {
        return pattern(BITS, i);
    }

    /** Makes a PUT of so many bytes. */
    public static TestMessage put(Nid from, Nid to, int length) {
        return put(from, to, length, BITS);
    }

    /** Makes a PUT of so many bytes. */
    public static TestMessage put(Nid from, Nid to, int length, long bits) {
        return put(from, to, bits, patterned(bits, length));
    }

    /** Makes a PUT of given memory. */
    public static TestMessage put(Nid from, Nid to, long bits, ByteBuffer... fragments) {
        TestMessage message = new TestMessage(fragments);
        message.header.setPut(message.length, Wire.NO_COOKIE, Wire.NO_COOKIE, 7, bits, 0, 0);
        return message.routed(from, to);
    }

    /** Makes a GET of so many bytes. */
    public static TestMessage get(Nid from, Nid to, int length) {
        TestMessage message = new TestMessage();
        message.header.setGet(3, 4, 7, BITS, 0, length);
        return message.routed(from, to);
    }

    /** Makes the REPLY to a GET, with memory of zeros. */
    public static TestMessage replyTo(LndMessage get) {
        int length = get.header().sinkLength();
        TestMessage message = new TestMessage(ByteBuffer.allocateDirect(length));
        message.header.setReply(length, 3, 4);
        return message;
    }

    private TestMessage routed(Nid from, Nid to) {
        header.setRoute(to, ProcessId.LUSTRE_PID, from, ProcessId.LUSTRE_PID);
        nextHop = to;
        return this;
    }

    /** Makes a message with the same header, and its payload in given pieces. */
    public TestMessage over(List<MemorySegment> pieces) {
        TestMessage message = new TestMessage(
                header, pieces.stream().map(MemorySegment::asByteBuffer).toArray(ByteBuffer[]::new));
        message.nextHop = nextHop;
        return message;
    }

    /** Sends it to another process. */
    public void setNextHop(Nid nid, int pid) {
        nextHop = nid;
        nextHopPid = pid;
    }

    /** Gives it a limit of its own, ns. */
    public void setTimeoutNanos(long nanos) {
        timeoutNanos = nanos;
    }

    /** Tells whether the first bytes of its first fragment are those of {@link #byteAt}, and the rest zero. */
    public boolean holds(int bytes) {
        for (int i = 0; i < length; i++) {
            if (fragments[0].get(i) != (i < bytes ? byteAt(i) : 0)) {
                return false;
            }
        }
        return true;
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
