package org.railyard.mad.transport;

import org.railyard.base.ErrnoException;
import org.railyard.mad.wire.Mad;

/** Who gets what a transport receives. Called in the transport's loop only; the MADs then belong to the receiver. */
public interface MadReceiver {
    /** A MAD has arrived: an answer, a request, a trap or a report. Nothing in it was checked. */
    void received(Mad mad, MadAddress from);

    /**
     * What was sent came back: a request that could not be delivered or that nobody answered in time, or a message of
     * several segments, an answer maybe, that was not received to its end.
     *
     * @param sent the MAD as it was sent
     * @param errno positive, 110 where nobody answered
     */
    void undelivered(Mad sent, int errno);

    /** The transport has ended by itself: the device is gone, or its library failed. Nothing is called after this. */
    void failed(ErrnoException why);
}
