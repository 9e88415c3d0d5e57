package org.railyard.sm.live;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadStatus;

/**
 * Questions to many nodes, of which only some wait at a time: whole subnets have more than fit into a queue. Notes what
 * was not answered. For the loop of the transport.
 */
final class SubnetQuestions {
    /** Requests that may be open before the next node is asked. */
    private static final int MANY = 2048;

    /** Most lines about what was not answered. */
    private static final int MAX_UNREAD = 1000;

    private static final Iterator<Runnable> NO_STEPS = Collections.emptyIterator();

    private final MadRequests requests;
    private final RequestSettings limits;
    private final List<String> unread = new ArrayList<>();
    private Iterator<Runnable> steps = NO_STEPS;
    private @Nullable Runnable done;
    private int open;
    private boolean portFailed;

    SubnetQuestions(MadRequests requests, RequestSettings limits) {
        this.requests = requests;
        this.limits = limits;
    }

    List<String> unread() {
        return unread;
    }

    void unread(String what) {
        if (unread.size() < MAX_UNREAD) {
            unread.add(what);
        } else if (unread.size() == MAX_UNREAD) {
            unread.add("and more; only the first " + MAX_UNREAD + " of these are kept");
        }
    }

    /**
     * Takes steps, each of which asks what it wants to.
     *
     * @param whenDone is called when all of it has ended
     */
    void run(Iterator<Runnable> newSteps, Runnable whenDone) {
        steps = requests.isClosed() ? NO_STEPS : newSteps;
        done = whenDone;
        pump();
    }

    private void pump() {
        while (open < MANY && steps.hasNext()) {
            steps.next().run();
        }
        Runnable next = done;
        if (open == 0 && next != null) {
            done = null;
            next.run();
        }
    }

    /**
     * Sends a request.
     *
     * @param what is what was not read if there is no good answer
     * @param heard gets the attribute of a good answer
     */
    <T extends BitStruct<T>> void ask(Mad mad, MadAddress to, AttributeType<T> type, String what, Consumer<T> heard) {
        if (requests.isClosed()) {
            portFailed(what);
            return;
        }
        open++;
        try {
            requests.submit(mad, to, limits, outcome -> {
                open--;
                hear(outcome, type, what, heard);
                pump();
            });
        } catch (ErrnoException e) {
            open--;
            unread(what + ": not sent: " + e.getMessage());
        }
    }

    /**
     * Sends a request of which only counts whether it is answered, when no other is open.
     *
     * @param silent gets the number of requests to which no answer came
     * @param answered is called in all other cases
     */
    void probe(Mad mad, MadAddress to, IntConsumer silent, Runnable answered) {
        try {
            requests.submit(mad, to, limits, outcome -> {
                if (outcome instanceof RequestOutcome.Unanswered(int attempts)) {
                    silent.accept(attempts);
                } else {
                    answered.run();
                }
            });
        } catch (ErrnoException e) {
            answered.run();
        }
    }

    private <T extends BitStruct<T>> void hear(
            RequestOutcome outcome, AttributeType<T> type, String what, Consumer<T> heard) {
        switch (outcome) {
            case RequestOutcome.Answered answered
            when answered.mad().status() == MadStatus.OK ->
                heard.accept(answered.mad().data(type));
            case RequestOutcome.Answered answered ->
                unread(what + ": answered with an error: "
                        + MadStatus.text(answered.mad().status()));
            case RequestOutcome.Unanswered(int attempts) ->
                unread("%s: no answer to %d requests; wrong M_Key, or the agent hangs?".formatted(what, attempts));
            case RequestOutcome.Refused refused -> unread(what + ": not sent, " + refused.reason());
            case RequestOutcome.Cancelled _ -> portFailed(what);
        }
    }

    /** Told once: what is still to be asked may be millions of pairs, and of none there is more to say. */
    private void portFailed(String what) {
        steps = NO_STEPS;
        if (!portFailed) {
            portFailed = true;
            unread(what + ": the port failed before an answer came; nothing was read after that");
        }
    }
}
