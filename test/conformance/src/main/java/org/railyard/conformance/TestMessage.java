package org.railyard.conformance;

import java.nio.ByteBuffer;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/**
 * A message as a test makes one, with memory of its own.
 *
 * @param header its header
 * @param nextHop where it goes
 * @param timeoutNanos how long the transport may take, ns; 0 for its own limit
 * @param fragments its payload
 */
public record TestMessage(LNetHeader header, Nid nextHop, long timeoutNanos, ByteBuffer... fragments)
        implements LndMessage {
    /** Makes a message with so many bytes of payload, none of which say anything. */
    public static TestMessage of(LNetHeader header, Nid nextHop, long timeoutNanos, int bytes) {
        ByteBuffer[] fragments = bytes == 0 ? new ByteBuffer[0] : new ByteBuffer[] {ByteBuffer.allocate(bytes)};
        return new TestMessage(header, nextHop, timeoutNanos, fragments);
    }

    /** Makes a message that looks like another one does, with bytes of its own. */
    public static TestMessage like(LndMessage original) {
        LNetHeader header = new LNetHeader();
        header.copyFrom(original.header());
        return of(header, original.nextHop(), 0, original.payloadLength());
    }

    @Override
    public int nextHopPid() {
        return header.destPid();
    }

    @Override
    public int payloadLength() {
        int bytes = 0;
        for (ByteBuffer fragment : fragments) {
            bytes += fragment.capacity();
        }
        return bytes;
    }

    @Override
    public int fragmentCount() {
        return fragments.length;
    }
}
