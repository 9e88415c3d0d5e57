package org.railyard.socklnd;

import java.nio.ByteBuffer;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/**
 * A message during whose sending something happens.
 *
 * @param atPeer happens when it is asked who gets it: its NI is chosen, the peer is not looked for yet
 * @param atConnection happens when it is asked for its time limit: the connection is chosen, and has not taken it yet
 */
record OvertakenMessage(LndMessage message, Runnable atPeer, Runnable atConnection) implements LndMessage {
    @Override
    public LNetHeader header() {
        return message.header();
    }

    @Override
    public Nid nextHop() {
        atPeer.run();
        return message.nextHop();
    }

    @Override
    public int nextHopPid() {
        return message.nextHopPid();
    }

    @Override
    public int payloadLength() {
        return message.payloadLength();
    }

    @Override
    public ByteBuffer[] fragments() {
        return message.fragments();
    }

    @Override
    public int fragmentCount() {
        return message.fragmentCount();
    }

    @Override
    public long timeoutNanos() {
        atConnection.run();
        return message.timeoutNanos();
    }
}
