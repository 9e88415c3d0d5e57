package org.railyard.mad.transport;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadStatus;

/** How a request ended. */
public sealed interface RequestOutcome {
    /** Returns how often the request was sent. */
    int attempts();

    /** Returns what an answer without error has; null if there is none. */
    default <T extends BitStruct<T>> @Nullable T good(AttributeType<T> type) {
        return this instanceof Answered answered && answered.mad().status() == MadStatus.OK
                ? answered.mad().data(type)
                : null;
    }

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
