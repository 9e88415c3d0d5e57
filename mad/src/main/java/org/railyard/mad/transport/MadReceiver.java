package org.railyard.mad.transport;

import org.railyard.base.ErrnoException;
import org.railyard.mad.wire.Mad;

/** Who gets what a transport receives. Called in the transport's loop only; the MADs then belong to the receiver. */
public interface MadReceiver {
    /** A MAD has arrived: an answer, a request, a trap or a report. Nothing in it was checked. */
    void received(Mad mad, MadAddress from);

    /**
     * A request that was sent came back: it could not be delivered, or nobody answered in time.
     *
     * @param request the MAD as it was sent
     * @param errno positive, 110 where nobody answered
     */
    void undelivered(Mad request, int errno);

    /** The transport has ended by itself: the device is gone, or its library failed. Nothing is called after this. */
    void failed(ErrnoException why);
}
