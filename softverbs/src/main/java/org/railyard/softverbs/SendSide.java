package org.railyard.softverbs;

import java.util.ArrayDeque;
import org.railyard.verbs.Access;
import org.railyard.verbs.Completion.Operation;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.Qp;
import org.railyard.verbs.WorkStatus;
import org.railyard.verbs.card.CardFastRegion;

/** The sending half of a reliable connection: requests in order, answers, and everything that is tried again. */
final class SendSide {
    /** Headers and checksums of a packet, bytes. */
    private static final int PACKET_OVERHEAD = 30;

    private final SoftQp qp;
    /** Posted, not begun. */
    private final ArrayDeque<SendRequest> waiting = new ArrayDeque<>();
    /** Begun, not complete. */
    private final ArrayDeque<SendRequest> window = new ArrayDeque<>();

    private int underWay;
    private long nextPsn;
    private int retries;
    private int rnrRetries;
    private boolean backingOff;
    private boolean blocked;
    private long lastArrival;
    private long deadline;
    private boolean timerRuns;

    SendSide(SoftQp qp) {
        this.qp = qp;
    }

    void begin(long firstPsn) {
        nextPsn = firstPsn;
    }

    /** Returns how many requests take room. */
    int posted() {
        return waiting.size() + window.size();
    }

    void post(SendRequest request) {
        waiting.add(request);
    }

    /** Begins what may begin. */
    void pump() {
        Peering with = qp.peering();
        while (with != null && mayBegin()) {
            SendRequest request = waiting.remove();
            window.add(request);
            begin(request, with);
        }
        complete();
    }

    private boolean mayBegin() {
        return qp.state() == Qp.State.READY_TO_SEND
                && !waiting.isEmpty()
                && !backingOff
                && !blocked
                && !qp.device().sendsHalted()
                && underWay < qp.fabric().settings().window();
    }

    private void begin(SendRequest request, Peering with) {
        if (!request.travels()) {
            if (carryOut(request)) {
                request.setDone();
            } else {
                refuse(request, WorkStatus.LOCAL_PROTECTION);
            }
        } else if (request.bytes() > SoftFabric.MAX_MESSAGE) {
            refuse(request, WorkStatus.LOCAL_LENGTH);
        } else if (!request.isReadable(qp.pd())) {
            refuse(request, WorkStatus.LOCAL_PROTECTION);
        } else {
            request.setPsn(nextPsn++);
            underWay++;
            transmit(request, with);
        }
    }

    /** What is behind it must not leave: it is going to be flushed. */
    private void refuse(SendRequest request, WorkStatus status) {
        request.fail(status);
        blocked = true;
    }

    private boolean carryOut(SendRequest request) {
        FastRegion wanted = request.region();
        if (request.operation() == Operation.REGISTER) {
            if (!(wanted instanceof CardFastRegion region) || region.pd() != qp.pd() || region.isMapped()) {
                return false;
            }
            region.register(request.key() & (Access.LOCAL_WRITE | Access.REMOTE_WRITE));
            return true;
        }
        if (qp.device().keys().find(request.key()) instanceof CardFastRegion region && region.isMapped()) {
            region.shut();
            return true;
        }
        return false;
    }

    private void transmit(SendRequest request, Peering with) {
        SoftFabric fabric = qp.fabric();
        SoftSettings settings = fabric.settings();
        Transit transit = qp.transit(with);
        long packets = Math.max(1, (request.bytes() + settings.mtu() - 1) / settings.mtu());
        long span = transit.bytesNanos(request.bytes() + packets * PACKET_OVERHEAD);
        long left = with.own().occupy(fabric.time().now() + settings.requestDelay(), span);
        Faults.Verdict verdict = fabric.faults().judge(Kind.DATA, with.own(), with.remote());
        lastArrival = Math.max(lastArrival, left + transit.delayNanos() + verdict.delayNanos());
        fabric.trace("send", with.own().toString(), qp.number(), request.psn());
        if (!transit.arrives() || verdict.dropped() || qp.device().isBroken()) {
            fabric.trace("lost", with.own().toString(), qp.number(), request.psn());
        } else {
            fabric.time().at(lastArrival, () -> deliver(request, with, transit));
            if (verdict.duplicated()) {
                fabric.time().at(lastArrival, () -> deliver(request, with, transit));
            }
        }
        deadline = lastArrival + settings.ackTimeout();
        startTimer();
    }

    private void deliver(SendRequest request, Peering with, Transit transit) {
        // What is on its way when its sender ends is lost with it; so is what is on its way when its path breaks.
        boolean pathHolds = transit.epoch() == qp.fabric().subnet().epoch()
                || qp.transit(with).arrives();
        SoftQp peer = with.remote().device().qp(with.remoteQpn());
        if (qp.state() == Qp.State.READY_TO_SEND && pathHolds && peer != null) {
            peer.arrivals().arrive(request, qp);
        }
    }

    private void startTimer() {
        if (!timerRuns) {
            timerRuns = true;
            qp.fabric().time().at(deadline, this::onTimer);
        }
    }

    private void onTimer() {
        timerRuns = false;
        Peering with = qp.peering();
        if (with == null || underWay == 0 || backingOff || qp.state() != Qp.State.READY_TO_SEND) {
            return;
        }
        if (qp.fabric().time().now() < deadline) {
            startTimer();
        } else {
            tryAgain(with);
        }
    }

    private void tryAgain(Peering with) {
        retries++;
        if (retries > with.parameters().retryCount()) {
            failOldest(WorkStatus.RETRY_EXCEEDED);
        } else {
            resend(with);
        }
    }

    private void resend(Peering with) {
        for (SendRequest each : window) {
            if (each.travels() && !each.isDone() && each.psn() >= 0) {
                qp.fabric().trace("resend", with.own().toString(), qp.number(), each.psn());
                transmit(each, with);
            }
        }
    }

    private void failOldest(WorkStatus status) {
        for (SendRequest each : window) {
            if (each.travels() && !each.isDone() && each.failure() == null) {
                refuse(each, status);
                break;
            }
        }
        complete();
    }

    /**
     * The peer's card answered.
     *
     * @param psn the message that the answer is about
     */
    void onAnswer(Answer answer, long psn) {
        Peering with = qp.peering();
        if (with == null || qp.state() != Qp.State.READY_TO_SEND) {
            return;
        }
        boolean progress = acknowledge(answer == Answer.ACK ? psn : psn - 1);
        if (progress) {
            retries = 0;
            rnrRetries = 0;
            deadline = Math.max(lastArrival, qp.fabric().time().now())
                    + qp.fabric().settings().ackTimeout();
        }
        boolean stillWanted = psn < nextPsn && !window.isEmpty();
        switch (answer) {
            case ACK -> complete();
            case SEQUENCE_ERROR -> {
                complete();
                if (stillWanted && !backingOff) {
                    tryAgain(with);
                }
            }
            case RECEIVER_NOT_READY -> {
                complete();
                backOff(with);
            }
            case ACCESS_ERROR -> failOldest(WorkStatus.REMOTE_ACCESS);
            case OPERATION_ERROR -> failOldest(WorkStatus.REMOTE_OPERATION);
        }
        pump();
    }

    private boolean acknowledge(long upTo) {
        boolean progress = false;
        for (SendRequest each : window) {
            if (each.travels()) {
                if (each.psn() > upTo || each.psn() < 0) {
                    break;
                }
                if (!each.isDone()) {
                    each.setDone();
                    underWay--;
                    progress = true;
                }
            }
        }
        return progress;
    }

    private void backOff(Peering with) {
        if (backingOff || underWay == 0) {
            return;
        }
        int limit = with.parameters().rnrRetryCount();
        rnrRetries++;
        if (limit != ConnectParameters.FOR_EVER && rnrRetries > limit) {
            failOldest(WorkStatus.RNR_RETRY_EXCEEDED);
            return;
        }
        backingOff = true;
        SoftFabric fabric = qp.fabric();
        fabric.time().at(fabric.time().now() + fabric.settings().rnrTimer(), () -> {
            backingOff = false;
            if (qp.state() == Qp.State.READY_TO_SEND) {
                resend(with);
                pump();
            }
        });
    }

    /** Takes requests off that are complete, in their order. */
    private void complete() {
        while (!window.isEmpty()) {
            SendRequest first = window.peek();
            WorkStatus failure = first.failure();
            if (failure != null) {
                window.remove();
                qp.fabric().trace("failed", qp.device().toString(), qp.number(), failure.code());
                qp.cq().add(first.id(), failure, first.operation(), 0, qp.number());
                qp.fail();
                return;
            }
            if (!first.isDone()) {
                return;
            }
            window.remove();
            if (first.isSignalled()) {
                qp.cq().add(first.id(), WorkStatus.SUCCESS, first.operation(), 0, qp.number());
            }
        }
    }

    /** Ends everything that is posted. */
    void flush() {
        flush(window);
        flush(waiting);
        underWay = 0;
    }

    /** One by one: a completion queue that overflows takes away the rest. */
    private void flush(ArrayDeque<SendRequest> requests) {
        for (SendRequest each = requests.poll(); each != null; each = requests.poll()) {
            qp.cq().add(each.id(), WorkStatus.FLUSHED, each.operation(), 0, qp.number());
        }
    }

    void forget() {
        window.clear();
        waiting.clear();
        underWay = 0;
    }
}
