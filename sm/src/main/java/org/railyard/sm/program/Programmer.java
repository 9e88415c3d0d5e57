package org.railyard.sm.program;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.mad.transport.MadLoop;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestOutcome;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.mad.wire.MadStatus;
import org.railyard.sm.subnet.ManagedNode;
import org.railyard.sm.subnet.SubnetRequests;

/**
 * Sends the Sets of one phase, waits for all answers, goes on with the next. A node that gives no answer gets nothing
 * more in this sweep; others go on. For the loop of the transport.
 */
public final class Programmer implements Executor {
    /** Most Sets that are made before they can be sent. */
    private static final int AHEAD = 1024;

    private final MadRequests requests;
    private final RequestSettings limits;
    private final MadLoop loop;
    private final Runnable begins;

    /** When packets of all phases so far have died out, ns of the loop's clock. */
    private long settledAt;

    /**
     * Makes one that sends through these requests.
     *
     * @param begins is called at the beginning of each run, before anything is sent
     */
    public Programmer(MadRequests requests, RequestSettings limits, MadLoop loop, Runnable begins) {
        this.requests = requests;
        this.limits = limits;
        this.loop = loop;
        this.begins = begins;
    }

    @Override
    public boolean isDry() {
        return false;
    }

    @Override
    public void run(List<Phase> phases, Consumer<Result> done) {
        begins.run();
        new Run(phases, done).next();
    }

    private final class Run {
        private final Deque<Phase> phases;
        private final Consumer<Result> done;
        private final List<Figures> figures = new ArrayList<>();
        private final Problems problems = new Problems();
        private boolean complete = true;
        private boolean stopped;
        private boolean feeding;

        private Iterator<Update> updates = Collections.emptyIterator();
        private final Set<Long> nodes = new LinkedHashSet<>();
        private long sets;
        private long failed;
        private @Nullable SubnetRequests exchange;

        Run(List<Phase> phases, Consumer<Result> done) {
            this.phases = new ArrayDeque<>(phases);
            this.done = done;
        }

        void next() {
            Phase phase = phases.peek();
            // Whatever comes after a failure knows nothing of packets that are still on their way.
            boolean settled = phase == null ? stopped : phase.settled();
            long wait = settledAt - loop.nanoTime();
            if (settled && wait > 0 && !requests.isClosed()) {
                loop.schedule(wait, this::next);
                return;
            }
            phases.poll();
            if (phase == null) {
                done.accept(new Result(figures, problems.lines(), complete, stopped));
                return;
            }
            updates = phase.updates().get();
            nodes.clear();
            sets = 0;
            failed = 0;
            exchange = new SubnetRequests(requests, limits, () -> ended(phase));
            exchange.begin(this::feed);
        }

        private void ended(Phase phase) {
            if (sets > 0 || failed > 0) {
                figures.add(new Figures(phase.name(), phase.why(), sets, failed, nodes.size()));
            }
            complete &= failed == 0;
            if (failed > 0 && phase.strict()) {
                problems.add(phase.name() + ": not all of it was done; what comes after it is left for the next sweep");
                stopped = true;
                phases.clear();
            }
            if (sets > 0 && phase.settleNanos() > 0) {
                settledAt = Math.max(settledAt, loop.nanoTime() + phase.settleNanos());
            }
            // Not within the call: with nothing to send phases would pile up on the stack.
            loop.execute(this::next);
        }

        /** A request that is refused at once is heard of within the call that sends it: that must not send the next. */
        private void feed() {
            if (feeding) {
                return;
            }
            feeding = true;
            try {
                send();
            } finally {
                feeding = false;
            }
        }

        private void send() {
            SubnetRequests through = exchange;
            while (through != null && through.open() < AHEAD && updates.hasNext()) {
                Update update = updates.next();
                if (update.node().isLost()) {
                    failed++;
                    continue;
                }
                nodes.add(update.node().guid());
                sets++;
                through.ask(update.mad(), new Hearing(update));
            }
        }

        /** What a Set is answered with. No lambda, as there are many (see {@link SubnetRequests}). */
        private final class Hearing implements Consumer<RequestOutcome> {
            private final Update update;

            Hearing(Update update) {
                this.update = update;
            }

            @Override
            public void accept(RequestOutcome outcome) {
                heard(update, outcome);
            }
        }

        private void heard(Update update, RequestOutcome outcome) {
            ManagedNode node = update.node();
            if (requests.isClosed()) {
                stop();
            }
            switch (outcome) {
                case RequestOutcome.Answered answered
                when answered.mad().status() == MadStatus.OK -> accept(update, answered);
                case RequestOutcome.Answered answered -> {
                    beUnsure(update, answered.attempts() - 1);
                    refused(update, answered.mad().status());
                }
                case RequestOutcome.Unanswered(int attempts) -> {
                    node.lose();
                    update.unsure().run();
                    failed(
                            update,
                            "no answer to " + attempts
                                    + " requests; another M_Key, or the agent hangs? It gets nothing more in this"
                                    + " sweep");
                }
                case RequestOutcome.Refused refused -> {
                    beUnsure(update, refused.attempts());
                    failed(
                            update,
                            (refused.attempts() == 0 ? "not sent, " : "no answer, and not sent again, ")
                                    + refused.reason());
                }
                case RequestOutcome.Cancelled cancelled -> {
                    beUnsure(update, cancelled.attempts());
                    givenUp(update);
                }
            }
            feed();
        }

        /** Of those that were sent and not answered the node may have taken one. */
        private static void beUnsure(Update update, int unanswered) {
            if (unanswered > 0) {
                update.unsure().run();
            }
        }

        /** What is left is not wanted either; one of them says so. */
        private void givenUp(Update update) {
            if (stopped) {
                failed++;
                return;
            }
            failed(update, "not sent, as everything after it: the sweep was given up");
            stop();
        }

        /** Nothing can be sent any more: what is left would only be refused. */
        private void stop() {
            stopped = true;
            updates = Collections.emptyIterator();
            phases.clear();
        }

        /** One answer that nobody thought of must not end the subnet manager. */
        private void accept(Update update, RequestOutcome.Answered answered) {
            try {
                update.accepted().accept(answered.mad());
                // What was answered counts, not what was asked for.
                if (!update.taken().test(answered.mad())) {
                    failed(update, "acknowledged, but the answer has other values: the node did not take it");
                }
            } catch (RuntimeException e) {
                update.unsure().run();
                failed(update, "the answer can not be used, please report this: " + e);
            }
        }

        /** A step that was made when only its answer was lost is refused the second time: the node is asked. */
        private void refused(Update update, int status) {
            SubnetRequests through = exchange;
            if (through == null) {
                return;
            }
            through.ask(update.question(), outcome -> {
                if (outcome instanceof RequestOutcome.Answered answered
                        && answered.mad().status() == MadStatus.OK
                        && update.reached().test(answered.mad())) {
                    accept(update, answered);
                } else if (outcome instanceof RequestOutcome.Unanswered(int attempts)) {
                    failed(
                            update,
                            "refused: %s, or done before and only the answer lost: there was no answer to %d questions about that"
                                    .formatted(MadStatus.text(status), attempts));
                } else {
                    failed(update, "refused: " + MadStatus.text(status));
                }
                feed();
            });
        }

        private void failed(Update update, String why) {
            failed++;
            problems.add(update, why);
        }
    }
}
