package org.railyard.verbs.card.cm;

import org.jspecify.annotations.Nullable;
import org.railyard.verbs.LoopTimer;
import org.railyard.verbs.card.CardScheduler;

/** Sends a message of the connection manager again and again, until it is answered or has been sent too often. */
final class CmRetransmitter {
    private final CardScheduler time;
    private final CmTimes times;
    private final Runnable noAnswer;
    private @Nullable Runnable message;
    private @Nullable LoopTimer timer;
    private int sent;
    private long timeout;
    private long begun;

    /**
     * Makes one without a message.
     *
     * @param noAnswer is run when the message was sent too often
     */
    CmRetransmitter(CardScheduler time, CmTimes times, Runnable noAnswer) {
        this.time = time;
        this.times = times;
        this.noAnswer = noAnswer;
    }

    /** Sends a message until {@link #end}, instead of the one before. */
    void begin(Runnable sending) {
        end();
        message = sending;
        sent = 0;
        timeout = times.firstTimeout();
        begun = time.now();
        sending.run();
        startTimer();
    }

    /** Sends the message once more, out of turn. */
    void repeat() {
        if (message != null) {
            message.run();
        }
    }

    private void startTimer() {
        timer = time.schedule(timeout, this::onTimer);
    }

    private void onTimer() {
        timer = null;
        if (sent++ < times.retries()) {
            timeout = Math.min(times.maxTimeout(), timeout * 2);
            repeat();
            startTimer();
        } else {
            noAnswer.run();
        }
    }

    /**
     * The peer has said that its answer takes longer: retries count from now on, at the longest time-out. One that says
     * so again and again gets no more time in the end.
     */
    void extend() {
        if (timer != null && time.now() - begun < times.extensions()) {
            timer.cancel();
            sent = 0;
            timeout = times.maxTimeout();
            startTimer();
        }
    }

    /** The answer came, or is not wanted any more. */
    void end() {
        message = null;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
