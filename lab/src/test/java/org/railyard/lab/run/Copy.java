package org.railyard.lab.run;

import java.nio.ByteBuffer;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/** A message that looks like another one did, with bytes of its own. */
final class Copy implements LndMessage {
    private final LNetHeader header = new LNetHeader();
    private final Nid nextHop;
    private final int length;
    private final ByteBuffer[] fragments;

    Copy(LndMessage original) {
        header.copyFrom(original.header());
        nextHop = original.nextHop();
        length = original.payloadLength();
        fragments = new ByteBuffer[] {ByteBuffer.allocate(length)};
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
        return header.destPid();
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
        return 1;
    }

    @Override
    public long timeoutNanos() {
        return 0;
    }
}
