package org.railyard.conformance.verbs.chaos;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.railyard.verbs.Completion;
import org.railyard.verbs.Completion.Operation;
import org.railyard.verbs.Qp;
import org.railyard.verbs.WorkStatus;

/**
 * What one end of a connection should be told, by what it has posted: completions in order, none left out that was
 * asked for, nothing good after the first failure; messages of the peer in order and once.
 */
final class ChaosLedger {
    /**
     * A request.
     *
     * @param wrong whether it has to fail
     * @param message number of the message that it sends, or writes for
     */
    record Request(long id, Operation operation, boolean signalled, boolean wrong, int message) {}

    private final Consumer<String> violations;
    private final Deque<Request> requests = new ArrayDeque<>();
    private final Deque<Long> receives = new ArrayDeque<>();
    private final Set<Integer> delivered = new TreeSet<>();
    private final Set<Integer> undelivered = new TreeSet<>();
    private int received;
    private boolean failed;
    private boolean receiveFailed;

    /** Makes one of an end that has posted nothing; what is wrong is told. */
    ChaosLedger(Consumer<String> violations) {
        this.violations = violations;
    }

    void posted(Request request) {
        requests.add(request);
    }

    void receivePosted(long id) {
        receives.add(id);
    }

    /** Returns how many requests may still wait. */
    int requests() {
        return requests.size();
    }

    /** Returns how many receives wait. */
    int receives() {
        return receives.size();
    }

    /** Returns how many messages have arrived, which is the number of the next one. */
    int received() {
        return received;
    }

    boolean hasFailed() {
        return failed;
    }

    /** Takes the completion of a receive; true if there is a message. */
    boolean completedReceive(Completion done, Qp.State state) {
        if (receives.isEmpty() || receives.remove() != done.id()) {
            violations.accept("a receive out of order: " + done);
            return false;
        }
        if (!done.isSuccess()) {
            receiveFailed = true;
            inError(done, state);
            return false;
        }
        if (receiveFailed) {
            violations.accept("a message after a failure: " + done);
        }
        return true;
    }

    /** A message of the peer arrived. */
    void arrived(long number) {
        if (number != received) {
            violations.accept("message " + number + " arrived, expected " + received);
        }
        received = (int) number + 1;
    }

    /** Takes the completion of a request. */
    void completed(Completion done, Qp.State state) {
        while (!requests.isEmpty() && requests.element().id() != done.id()) {
            skipped(requests.remove(), done);
        }
        if (requests.isEmpty()) {
            violations.accept("nobody asked for " + done);
            return;
        }
        Request request = requests.remove();
        if (done.isSuccess()) {
            succeeded(request, done);
        } else {
            failed(request, done, state);
        }
    }

    /** Only one that went well, and of which nothing was to be told, completes in silence. */
    private void skipped(Request request, Completion next) {
        if (request.signalled() || request.wrong() || failed) {
            violations.accept(request + " was left out before " + next);
        }
        noteDelivered(request);
    }

    private void succeeded(Request request, Completion done) {
        if (!request.signalled() || request.wrong() || failed || done.operation() != request.operation()) {
            violations.accept(request + " can not go well" + (failed ? " after a failure: " : ": ") + done);
        }
        noteDelivered(request);
    }

    private void noteDelivered(Request request) {
        if (request.operation() == Operation.SEND) {
            delivered.add(request.message());
        }
    }

    private void failed(Request request, Completion done, Qp.State state) {
        if (failed && done.status() != WorkStatus.FLUSHED) {
            violations.accept("failed a second time: " + done);
        }
        failed = true;
        inError(done, state);
        if (request.operation() == Operation.SEND && done.isUndelivered()) {
            undelivered.add(request.message());
        }
    }

    private void inError(Completion done, Qp.State state) {
        if (state != Qp.State.ERROR) {
            violations.accept(done + " of a queue pair that is " + state);
        }
    }

    /** Nothing more comes: what was asked for has to be there. */
    void checkEnd(Qp.State state) {
        if (requests.stream().anyMatch(Request::signalled)) {
            violations.accept(requests.element() + " has not completed, " + state);
        }
        if (state == Qp.State.ERROR && !receives.isEmpty()) {
            violations.accept(receives.size() + " receives have not completed");
        }
    }

    /**
     * Compares with the end that the messages went to.
     *
     * @param heardAll whether it was told of all messages that arrived
     */
    void compare(ChaosLedger peer, boolean heardAll) {
        delivered.stream()
                .filter(each -> heardAll && each >= peer.received)
                .forEach(each -> violations.accept("told that " + each + " was delivered, of " + peer.received));
        undelivered.stream()
                .filter(each -> each < peer.received)
                .forEach(each -> violations.accept("told that " + each + " did not leave, of " + peer.received));
    }
}
