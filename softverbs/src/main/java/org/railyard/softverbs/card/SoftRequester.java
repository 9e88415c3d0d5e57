package org.railyard.softverbs.card;

import org.jspecify.annotations.Nullable;
import org.railyard.softverbs.net.PortPair;
import org.railyard.softverbs.net.SimulatedFabric;
import org.railyard.softverbs.net.SoftSettings;
import org.railyard.softverbs.net.TrafficKind;
import org.railyard.softverbs.net.Transmission;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.WorkStatus;
import org.railyard.verbs.card.SendQueue;
import org.railyard.verbs.card.SendRequest;

/**
 * The sending half of a reliable connection: requests in order as segments, at most a window of them without an answer.
 * After a NAK or a time-out it goes back to the first segment that is not acknowledged.
 */
final class SoftRequester {
    /** So often in a window an answer is asked for, besides at the end of each message. */
    private static final int ANSWERS_PER_WINDOW = 4;

    private final SoftQp qp;
    private final SendQueue queue;
    private final Runnable timer = this::onTimer;
    private int mtu;
    private int segmentBytes;

    /** Place of the first request that is not begun. */
    private long next;

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
    private long lastArrival;

    /** What is behind the newest segment that has left the port since it was last decided to go back. */
    private long departed;

    private long deadline;
    private boolean timerRuns;

    SoftRequester(SoftQp qp) {
        this.qp = qp;
        this.queue = qp.sends();
    }

    void begin(SoftPeer peer) {
        mtu = peer.mtu();
        segmentBytes = settings().segmentBytes(mtu);
        long firstPsn = peer.sendPsn();
        sendPsn = firstPsn;
        unacked = firstPsn;
        newest = firstPsn;
        departed = firstPsn;
        nextPsn = firstPsn;
    }

    /** Sends what may be sent. */
    void pump() {
        PortPair route = qp.route();
        while (route != null && maySend()) {
            if (!(sendPsn < nextPsn ? transmit(route) : beginNext())) {
                break;
            }
        }
        complete();
    }

    /** Begins the next request; false if there is none, or one has failed, so that what is behind it is not sent. */
    private boolean beginNext() {
        if (next == queue.end() || queue.isBlocked()) {
            return false;
        }
        SendRequest request = queue.at(next++);
        queue.begin(request, nextPsn, segmentBytes, SoftSettings.MAX_MESSAGE);
        nextPsn += request.packets();
        return true;
    }

    private boolean maySend() {
        return qp.isReady()
                && !backingOff
                && !qp.device().sendsHalted()
                && sendPsn - unacked < settings().segmentWindow();
    }

    private SoftSettings settings() {
        return qp.fabric().settings();
    }

    /** Sends the next segment; false if its request has failed. */
    private boolean transmit(PortPair route) {
        SimulatedFabric fabric = qp.fabric();
        Segment segment = nextSegment();
        if (segment.request().hasFailed()) {
            return false;
        }
        long psn = segment.psn();
        sendPsn = psn + 1;
        fabric.trace(psn < newest ? "resend" : "send", route.from(), qp.number(), psn);
        newest = Math.max(newest, sendPsn);
        if (segment.ends()) {
            segment.request().setLeft();
        }
        lastArrival = fabric.send(new Transmission(
                TrafficKind.DATA,
                route,
                segment.length() + headers(segment.length()),
                fabric.time().now() + settings().requestDelay(),
                lastArrival,
                fabric.judge(TrafficKind.DATA, route),
                new Passage(segment, route)));
        if (departed > psn) {
            deadline = lastArrival + settings().ackTimeout();
        }
        return true;
    }

    /** A segment under way. */
    private final class Passage implements Transmission.Sender {
        private final Segment segment;
        private final PortPair route;

        Passage(Segment segment, PortPair route) {
            this.segment = segment;
            this.route = route;
        }

        @Override
        public void leaves() {
            // Only now is there something to wait for.
            departed = Math.max(departed, segment.psn() + 1);
            deadline = qp.fabric().time().now() + settings().ackTimeout();
            startTimer();
        }

        @Override
        public void arrives() {
            deliver(segment);
        }

        @Override
        public void isLost() {
            qp.fabric().trace("lost", route.from(), qp.number(), segment.psn());
        }
    }

    private Segment nextSegment() {
        SendRequest request = sending;
        if (request == null || sendPsn < request.firstPsn() || sendPsn >= request.endPsn()) {
            request = find(sendPsn);
            sending = request;
        }
        long offset = (sendPsn - request.firstPsn()) * segmentBytes;
        int length = (int) Math.min(segmentBytes, request.bytes() - offset);
        boolean isPartOfWindow = (sendPsn + 1) % (settings().segmentWindow() / ANSWERS_PER_WINDOW) == 0;
        return new Segment(request, sendPsn, offset, length, sendPsn + 1 == request.endPsn() || isPartOfWindow);
    }

    private SendRequest find(long psn) {
        for (long i = queue.start(); i < next; i++) {
            SendRequest each = queue.at(i);
            if (each.firstPsn() <= psn && psn < each.endPsn()) {
                return each;
            }
        }
        throw new IllegalStateException(qp + " has no segment " + psn + " to send");
    }

    /** Headers of all packets that a segment is. */
    private long headers(long bytes) {
        return Math.max(1, (bytes + mtu - 1) / mtu) * SoftSettings.PACKET_OVERHEAD;
    }

    private void deliver(Segment segment) {
        SoftPeer with = qp.peer();
        // What is on its way when its sender ends is lost with it.
        if (with != null && qp.isReady()) {
            SoftQp peer = with.remote().device().qp(with.remoteQpn());
            if (peer != null) {
                peer.responder().arrive(segment, qp);
            }
        }
    }

    private void startTimer() {
        if (!timerRuns) {
            timerRuns = true;
            qp.fabric().time().at(deadline, timer);
        }
    }

    private void onTimer() {
        timerRuns = false;
        SoftPeer with = qp.peer();
        if (with == null || unacked == newest || backingOff || !qp.isReady()) {
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

    private void tryAgain(SoftPeer with) {
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
        queue.failOldest(status);
        complete();
    }

    /** A segment could not be read any more when it was to be sent: its memory is not registered now. */
    void failUnreadable(SendRequest request) {
        queue.fail(request, WorkStatus.LOCAL_PROTECTION);
        complete();
    }

    /**
     * The peer's card answered.
     *
     * @param psn the segment that the answer is about
     */
    void onAnswer(Answer answer, long psn) {
        SoftPeer with = qp.peer();
        if (with == null || !qp.isReady() || answer != Answer.ACK && psn < unacked) {
            return;
        }
        if (acknowledge(answer == Answer.ACK ? psn + 1 : psn)) {
            retries = 0;
            rnrRetries = 0;
            deadline =
                    Math.max(lastArrival, qp.fabric().time().now()) + settings().ackTimeout();
        }
        boolean stillWanted = psn < newest && queue.start() < next;
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
        for (long i = queue.start(); i < next; i++) {
            SendRequest each = queue.at(i);
            if (!each.isBegun() || each.endPsn() > end) {
                break;
            }
            each.setDone();
        }
        return true;
    }

    private void backOff(SoftPeer with) {
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
        SimulatedFabric fabric = qp.fabric();
        fabric.time().at(fabric.time().now() + settings().rnrTimer(), () -> {
            backingOff = false;
            if (qp.isReady()) {
                resend();
            }
        });
    }

    private void complete() {
        queue.complete(next);
    }

    void stop() {
        unacked = newest;
    }
}
