package org.railyard.mad.transport;

import org.railyard.base.ErrnoException;
import org.railyard.mad.wire.Mad;

/**
 * A port that sends and receives MADs of subnet management and subnet administration, and asks performance management.
 * Everything but {@link #loop()} is to be called in that loop; {@link #close()} may be called from anywhere else as
 * well.
 *
 * <p>A transport does not repeat, does not match answers with requests, and bounds nothing but itself: that is {@link
 * MadRequests}' work.
 */
public interface MadTransport extends AutoCloseable {
    /** Returns the loop in which everything happens. */
    MadLoop loop();

    /** Returns the port that this transport stands at. */
    LocalPort port();

    /**
     * Says who gets what arrives. Nothing is received before.
     *
     * @throws IllegalStateException if it was said before
     */
    void receiver(MadReceiver receiver);

    /**
     * Sends a MAD. Never waits for the network.
     *
     * @param mad stays the caller's, and is copied where that is needed
     * @param timeoutMillis how long the transport should wait for an answer, if it does that at all: then it is told as
     *     {@link MadReceiver#undelivered}; 0 = no answer is expected
     * @throws ErrnoException if it was not sent: EAGAIN or EBUSY if it may be later, EMSGSIZE if it is too large
     */
    void send(Mad mad, MadAddress to, int timeoutMillis);

    /** Returns the most requests that may be unanswered at a time: more could block the transport. */
    int maxOutstanding();

    /** Tells whether requests without answer come back as {@link MadReceiver#undelivered}. */
    boolean reportsTimeouts();

    /** Tells whether messages of the SA larger than a datagram can be sent and received; else RMPP has to be added. */
    boolean reassembles();

    /**
     * Sets or clears the bit that says that there is an SM at this port.
     *
     * @throws ErrnoException if that is not allowed, or the device can not do it
     */
    void markSm(boolean isSm);

    /** Ends it: no callback begins any more. */
    @Override
    void close();
}
