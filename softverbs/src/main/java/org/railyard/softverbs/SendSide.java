package org.railyard.softverbs;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.Access;
import org.railyard.verbs.Completion.Operation;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.Qp;
import org.railyard.verbs.WorkStatus;
import org.railyard.verbs.card.CardFastRegion;

/** The sending half of a reliable connection: requests in order, answers, and everything that is tried again. */
final class SendSide {
    /** So often in a window an answer is asked for, besides at the end of each message. */
    private static final int ANSWERS_PER_WINDOW = 4;

    private final SoftQp qp;
    /** Posted, not begun. */
    private final ArrayDeque<SendRequest> waiting = new ArrayDeque<>();
    /** Begun, not complete. */
    private final ArrayDeque<SendRequest> window = new ArrayDeque<>();

    /** The next segment to send, and the request that it is part of if that is known. */
    private long sendPsn;

    private @Nullable SendRequest sending;

    /**
     * The oldest segment that is not acknowledged; what is behind the newest that was ever sent; what the next request
     * begins with.
     */
    private long unacked;

    private long newest;
    private long nextPsn;
    private int retries;
    private int rnrRetries;
    private boolean backingOff;
    private boolean blocked;
    private long lastArrival;

    /** What is behind the newest segment that has left the port since it was last decided to go back. */
    private long departed;

    private long deadline;
    private boolean timerRuns;

    SendSide(SoftQp qp) {
        this.qp = qp;
    }

    void begin(long firstPsn) {
        sendPsn = firstPsn;
        unacked = firstPsn;
        newest = firstPsn;
        departed = firstPsn;
        nextPsn = firstPsn;
    }

    /** Returns how many requests take room. */
    int posted() {
        return waiting.size() + window.size();
    }

    void post(SendRequest request) {
        waiting.add(request);
    }

    /** Sends what may be sent. */
    void pump() {
        PortPair way = qp.way();
        while (way != null && maySend()) {
            if (sendPsn < nextPsn) {
                transmit(way);
            } else if (waiting.isEmpty()) {
                break;
            } else {
                SendRequest request = waiting.remove();
                window.add(request);
                begin(request);
            }
        }
        complete();
    }

    private boolean maySend() {
        return qp.state() == Qp.State.READY_TO_SEND
                && !backingOff
                && !blocked
                && !qp.device().sendsHalted()
                && sendPsn - unacked < settings().segmentWindow();
    }

    private SoftSettings settings() {
        return qp.fabric().settings();
    }

    private void begin(SendRequest request) {
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
            int segment = settings().segmentBytes();
            request.number(nextPsn, (int) Math.max(1, (request.bytes() + segment - 1) / segment));
            nextPsn = request.end();
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

    /** Sends the next segment. */
    private void transmit(PortPair way) {
        SoftFabric fabric = qp.fabric();
        Segment segment = nextSegment();
        long psn = segment.psn();
        sendPsn = psn + 1;
        fabric.trace(psn < newest ? "resend" : "send", way.from().toString(), qp.number(), psn);
        newest = Math.max(newest, sendPsn);
        lastArrival = fabric.carrier()
                .carry(new Shipment(
                        Kind.DATA,
                        way,
                        segment.length() + headers(segment.length()),
                        fabric.time().now() + settings().requestDelay(),
                        lastArrival,
                        fabric.faults().judge(Kind.DATA, way.from(), way.to()),
                        () -> leaves(psn),
                        () -> deliver(segment),
                        () -> fabric.trace("lost", way.from().toString(), qp.number(), psn)));
        if (departed > psn) {
            deadline = lastArrival + settings().ackTimeout();
        }
    }

    /** A segment leaves the port; only now is there something to wait for. */
    private void leaves(long psn) {
        departed = Math.max(departed, psn + 1);
        deadline = qp.fabric().time().now() + settings().ackTimeout();
        startTimer();
    }

    private Segment nextSegment() {
        SendRequest request = sending;
        if (request == null || sendPsn < request.psn() || sendPsn >= request.end()) {
            request = find(sendPsn);
            sending = request;
        }
        long offset = (sendPsn - request.psn()) * settings().segmentBytes();
        int length = (int) Math.min(settings().segmentBytes(), request.bytes() - offset);
        boolean isPartOfWindow = (sendPsn + 1) % (settings().segmentWindow() / ANSWERS_PER_WINDOW) == 0;
        return new Segment(request, sendPsn, offset, length, sendPsn + 1 == request.end() || isPartOfWindow);
    }

    private SendRequest find(long psn) {
        for (SendRequest each : window) {
            if (each.psn() >= 0 && each.psn() <= psn && psn < each.end()) {
                return each;
            }
        }
        throw new IllegalStateException(qp + " has no segment " + psn + " to send");
    }

    /** Headers of all packets that a segment is. */
    private long headers(long bytes) {
        int mtu = settings().mtu();
        return Math.max(1, (bytes + mtu - 1) / mtu) * SoftSettings.PACKET_OVERHEAD;
    }

    private void deliver(Segment segment) {
        Peering with = qp.peering();
        // What is on its way when its sender ends is lost with it.
        if (with != null && qp.state() == Qp.State.READY_TO_SEND) {
            SoftQp peer = with.remote().device().qp(with.remoteQpn());
            if (peer != null) {
                peer.arrivals().arrive(segment, qp);
            }
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
        if (with == null || unacked == newest || backingOff || qp.state() != Qp.State.READY_TO_SEND) {
            return;
        }
        if (departed <= unacked) {
            // What is not acknowledged is still in the queue of the port; its departure starts the timer again.
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
            resend();
        }
    }

    /** Goes back to the oldest segment that is not acknowledged. */
    private void resend() {
        sendPsn = unacked;
        departed = unacked;
        pump();
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
     * @param psn the segment that the answer is about
     */
    void onAnswer(Answer answer, long psn) {
        Peering with = qp.peering();
        if (with == null || qp.state() != Qp.State.READY_TO_SEND || answer != Answer.ACK && psn < unacked) {
            return;
        }
        if (acknowledge(answer == Answer.ACK ? psn + 1 : psn)) {
            retries = 0;
            rnrRetries = 0;
            deadline =
                    Math.max(lastArrival, qp.fabric().time().now()) + settings().ackTimeout();
        }
        boolean stillWanted = psn < newest && !window.isEmpty();
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

    /** Everything before a segment is there; returns whether that is news. */
    private boolean acknowledge(long end) {
        if (end <= unacked) {
            return false;
        }
        unacked = end;
        sendPsn = Math.max(sendPsn, end);
        for (SendRequest each : window) {
            if (each.travels()) {
                if (each.psn() < 0 || each.end() > end) {
                    break;
                }
                each.setDone();
            }
        }
        return true;
    }

    private void backOff(Peering with) {
        if (backingOff || unacked == newest) {
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
        fabric.time().at(fabric.time().now() + settings().rnrTimer(), () -> {
            backingOff = false;
            if (qp.state() == Qp.State.READY_TO_SEND) {
                resend();
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
        unacked = newest;
    }

    /** One by one: a completion queue that overflows takes away the rest. */
    private void flush(ArrayDeque<SendRequest> requests) {
        for (SendRequest each = requests.poll(); each != null; each = requests.poll()) {
            boolean left = each.psn() >= 0 && each.end() <= newest;
            qp.cq().addFlushed(each.id(), each.operation(), qp.number(), left);
        }
    }

    void forget() {
        window.clear();
        waiting.clear();
        unacked = newest;
    }
}
