package org.railyard.itest.netns;

import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Statistic;

/**
 * Which of a target's sinks a client writes to: another one after each failure, and after each message that its node
 * sent again. What is left of the first time may come out of a dead rail much later, and then meets nothing newer.
 */
final class SinkChoice {
    private final LNet node;
    private long resends;
    private long changes;

    SinkChoice(LNet node) {
        this.node = node;
    }

    /** Returns the sink of the next PUT. */
    long next() {
        long now = node.statistics().get(Statistic.RESEND_COUNT);
        if (now != resends) {
            resends = now;
            changes++;
        }
        return changes;
    }

    /** Notes that a transfer has failed. */
    void failed() {
        changes++;
    }
}
