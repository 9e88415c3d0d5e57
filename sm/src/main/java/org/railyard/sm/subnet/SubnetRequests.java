package org.railyard.sm.subnet;

import java.util.function.Consumer;
import org.railyard.base.ErrnoException;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.Mad;

/**
 * Requests that belong together: tells when all of them have ended, those that were added meanwhile too. For the loop
 * of the transport.
 */
public final class SubnetRequests {
    private final MadRequests requests;
    private final RequestSettings limits;
    private final Runnable done;
    private int open;
    private boolean ended;

    /**
     * Begins one; {@link #begin} sends the first requests.
     *
     * @param limits time-out and retries of each request
     * @param done is called once, when the last request has ended
     */
    public SubnetRequests(MadRequests requests, RequestSettings limits, Runnable done) {
        this.requests = requests;
        this.limits = limits;
        this.done = done;
    }

    /** Runs what sends the first requests; if it sends none, that is the end. */
    public void begin(Runnable first) {
        open++;
        first.run();
        close();
    }

    /** Sends a directed-route request, with the time-out and the retries of the others. */
    public void ask(Mad mad, Consumer<RequestOutcome> heard) {
        ask(mad, limits, heard);
    }

    /** The same with other limits. */
    public void ask(Mad mad, RequestSettings own, Consumer<RequestOutcome> heard) {
        open++;
        try {
            requests.submit(mad, MadAddress.DIRECTED, own, new Ending(heard));
        } catch (ErrnoException e) {
            heard.accept(new RequestOutcome.Refused(e.errno().number(), 0));
            close();
        }
    }

    /** A request ends. No lambda: one is made for each MAD of a sweep (see {@code SimulatedSubnet}). */
    private final class Ending implements Consumer<RequestOutcome> {
        private final Consumer<RequestOutcome> heard;

        Ending(Consumer<RequestOutcome> heard) {
            this.heard = heard;
        }

        @Override
        public void accept(RequestOutcome outcome) {
            heard.accept(outcome);
            close();
        }
    }

    /** Returns how many requests have not ended. */
    public int open() {
        return open;
    }

    private void close() {
        open--;
        if (open == 0 && !ended) {
            ended = true;
            done.run();
        }
    }
}
