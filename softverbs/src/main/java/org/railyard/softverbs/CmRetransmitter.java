package org.railyard.softverbs;

import org.jspecify.annotations.Nullable;

/** Sends a message of the connection manager again and again, until it is answered or has been sent too often. */
final class CmRetransmitter {
    private final SoftManager manager;
    private final SoftFabric fabric;
    private final Runnable givenUp;
    private @Nullable CmMessage unanswered;
    private int tries;
    private Timeline.@Nullable Cancel timer;

    /**
     * Makes one that says nothing yet.
     *
     * @param givenUp happens when nobody answers
     */
    CmRetransmitter(SoftManager manager, SoftFabric fabric, Runnable givenUp) {
        this.manager = manager;
        this.fabric = fabric;
        this.givenUp = givenUp;
    }

    void begin(CmMessage message) {
        unanswered = message;
        tries = 0;
        manager.send(message);
        startTimer();
    }

    /** Sends it once more, out of turn. */
    void repeat() {
        CmMessage message = unanswered;
        if (message != null) {
            manager.send(message);
        }
    }

    private void startTimer() {
        Timeline time = fabric.time();
        timer = time.at(time.now() + fabric.settings().managerTimeout(), this::noAnswer);
    }

    private void noAnswer() {
        if (unanswered == null) {
            return;
        }
        if (tries++ < fabric.settings().managerRetries()) {
            repeat();
            startTimer();
        } else {
            givenUp.run();
        }
    }

    /** The answer is there, or is not wanted any more. */
    void end() {
        unanswered = null;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
