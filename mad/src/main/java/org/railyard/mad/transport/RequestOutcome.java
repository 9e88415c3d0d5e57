package org.railyard.mad.transport;

import org.railyard.base.Errno;
import org.railyard.mad.wire.Mad;

/** How a request ended. */
public sealed interface RequestOutcome {
    /** Returns how often the request was sent. */
    int attempts();

    /**
     * It was answered; the status may be an error.
     *
     * @param mad the answer
     * @param from where it came from
     */
    record Answered(Mad mad, MadAddress from, int attempts) implements RequestOutcome {}

    /** Nobody answered, or it could not be delivered, any of the times. */
    record Unanswered(int attempts) implements RequestOutcome {}

    /**
     * The transport did not take it.
     *
     * @param errno positive
     */
    record Refused(int errno, int attempts) implements RequestOutcome {
        /** Returns the name of the error, for people. */
        public String reason() {
            return Errno.describe(-errno);
        }
    }

    /** The requests were ended before. */
    record Cancelled(int attempts) implements RequestOutcome {}
}
