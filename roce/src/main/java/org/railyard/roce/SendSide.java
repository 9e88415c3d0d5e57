package org.railyard.roce;

import org.jspecify.annotations.Nullable;
import org.railyard.roce.RoceCounters.Counter;
import org.railyard.roce.wire.Aeth;
import org.railyard.roce.wire.Frame;
import org.railyard.roce.wire.Opcode;
import org.railyard.roce.wire.Psn;
import org.railyard.verbs.Access;
import org.railyard.verbs.Completion.Operation;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.WorkChain;
import org.railyard.verbs.WorkStatus;
import org.railyard.verbs.card.CardFastRegion;

/**
 * The sending half of a reliable connection (spec 23 §5.2): requests as packets, in order, at most a window of them
 * without an answer. After a NAK or a time without answers it goes back to the first packet that is not acknowledged.
 * Loss halves the window, progress lets it grow again.
 */
final class SendSide {
    /** Longest message, bytes: its smallest packets are fewer than half of the numbers that there are. */
    private static final long MAX_MESSAGE = 1L << 30;

    /** Most bytes without an answer: what a socket of usual size has room for. */
    private static final int WINDOW_BYTES = 128 << 10;

    /** So small the window becomes at most. */
    private static final int MIN_WINDOW = 4;

    /** So often in a window an answer is asked for. */
    private static final int ANSWERS_PER_WINDOW = 4;

    private final RoceQp qp;
    private final ProviderThread engine;
    private final RocePort port;
    private final RoceCounters counters;
    private final int gather;
    private final int maxWindow;
    private final SendRing ring;
    private final Timers.Timer answerTimer = new Timers.Timer(this::onTimer);
    private final Timers.Timer rnrTimer = new Timers.Timer(this::onReady);
    private final RetryClock patience;
    private @Nullable Peering with;
    private int mtu = 1;

    /** The next packet to send, and what it is part of. */
    private int sendPsn;

    private long cursor;
    private long cursorOffset;

    /** The oldest packet that is not acknowledged, and the number behind the newest that was ever sent. */
    private int unacked;

    private int newest;
    private int window;
    private int growth;
    private int sinceAsked;
    private int rnrRetries;
    private boolean blocked;
    private boolean starving;

    SendSide(
            RoceQp qp,
            ProviderThread engine,
            RocePort port,
            QpCapabilities capabilities,
            long probeNanos,
            int maxWindow) {
        this.qp = qp;
        this.engine = engine;
        this.port = port;
        this.counters = port.counters();
        this.gather = capabilities.gather();
        this.maxWindow = maxWindow;
        this.ring = new SendRing(capabilities.sends(), gather);
        this.patience = new RetryClock(probeNanos);
    }

    void begin(Peering peering) {
        with = peering;
        mtu = peering.mtu();
        sendPsn = peering.sendPsn();
        unacked = sendPsn;
        newest = sendPsn;
        window = largestWindow();
        patience.begin(peering.ackNanos(), peering.parameters().retryCount());
    }

    private int largestWindow() {
        return Math.min(maxWindow, Math.max(MIN_WINDOW, WINDOW_BYTES / mtu));
    }

    /** Takes requests that are posted; returns how many. */
    int take(WorkChain chain) {
        for (int i = 0; i < chain.size(); i++) {
            if (ring.isFull() || chain.gatherEnd(i) - chain.gatherStart(i) > gather) {
                return i;
            }
            ring.append().take(chain, i);
        }
        return chain.size();
    }

    /** Sends what may be sent. */
    void pump() {
        Peering peer = with;
        while (peer != null && qp.isReady() && !blocked && !rnrTimer.isSet() && !starving && cursor < ring.end()) {
            SendRequest request = ring.at(cursor);
            if (!request.isBegun()) {
                begin(request);
            }
            if (!request.travels() || request.isDone()) {
                cursor++;
                continue;
            }
            if (blocked || Psn.distance(unacked, sendPsn) >= window || !transmit(request, peer)) {
                break;
            }
        }
        complete();
    }

    private void begin(SendRequest request) {
        if (!request.travels()) {
            request.begin(sendPsn, 0);
            if (carryOut(request)) {
                request.setDone();
            } else {
                refuse(request, WorkStatus.LOCAL_PROTECTION);
            }
        } else if (request.bytes() > MAX_MESSAGE) {
            refuse(request, WorkStatus.LOCAL_LENGTH);
        } else if (!request.isReadable(qp.pd())) {
            refuse(request, WorkStatus.LOCAL_PROTECTION);
        } else {
            request.begin(sendPsn, (int) Math.max(1, (request.bytes() + mtu - 1) / mtu));
        }
    }

    /** What is behind it must not leave: it is going to be flushed. */
    private void refuse(SendRequest request, WorkStatus status) {
        request.fail(status);
        blocked = true;
    }

    private boolean carryOut(SendRequest request) {
        if (request.operation() == Operation.REGISTER) {
            if (request.region() instanceof CardFastRegion wanted && wanted.pd() == qp.pd() && !wanted.isMapped()) {
                wanted.register(request.key() & (Access.LOCAL_WRITE | Access.REMOTE_WRITE));
                return true;
            }
            return false;
        }
        if (qp.pd().memory().keys().find(request.key()) instanceof CardFastRegion known && known.isMapped()) {
            known.shut();
            return true;
        }
        return false;
    }

    /** Sends the packet at the cursor; false if it could not be sent now, or not at all. */
    private boolean transmit(SendRequest request, Peering peer) {
        int length = (int) Math.min(mtu, request.bytes() - cursorOffset);
        boolean begins = cursorOffset == 0;
        boolean ends = cursorOffset + length == request.bytes();
        boolean wantsAck =
                ends || ++sinceAsked * ANSWERS_PER_WINDOW >= window || Psn.distance(unacked, sendPsn) + 1 >= window;
        Frame frame = engine.outgoing()
                .begin(
                        Opcode.of(request.isWrite(), begins, ends),
                        peer.remoteQpn(),
                        ends && !request.isWrite(),
                        wantsAck,
                        sendPsn);
        if (begins && request.isWrite()) {
            frame.reth(request.remoteAddress(), request.key(), (int) request.bytes());
        }
        if (!request.copy(qp.pd(), cursorOffset, length, frame.memory(), frame.payloadOffset())) {
            refuse(request, WorkStatus.LOCAL_PROTECTION);
            return false;
        }
        frame.payload(length);
        Datagrams.Sent sent = port.send(peer.route());
        if (sent == Datagrams.Sent.BUSY) {
            starving = true;
            engine.starve(qp);
            return false;
        }
        if (ends && sent == Datagrams.Sent.YES) {
            request.setLeft();
        }
        if (wantsAck) {
            sinceAsked = 0;
        }
        if (Psn.distance(sendPsn, newest) > 0) {
            counters.add(Counter.RESENT);
        }
        step(ends, length);
        return true;
    }

    private void step(boolean ends, int length) {
        boolean wasIdle = sendPsn == unacked && sendPsn == newest;
        sendPsn = Psn.plus(sendPsn, 1);
        if (Psn.distance(newest, sendPsn) > 0) {
            newest = sendPsn;
        }
        if (ends) {
            cursor++;
            cursorOffset = 0;
        } else {
            cursorOffset += length;
        }
        if (wasIdle) {
            patience.progress(engine.now());
        }
        watch();
    }

    private void watch() {
        if (!answerTimer.isSet() || answerTimer.at() - patience.next() > 0) {
            engine.timers().set(answerTimer, patience.next());
        }
    }

    /** The network may take something again. */
    void feed() {
        starving = false;
        pump();
    }

    private void onTimer() {
        Peering peer = with;
        if (peer == null || !qp.isReady() || unacked == newest) {
            return;
        }
        long now = engine.now();
        if (!rnrTimer.isSet() && patience.next() - now <= 0) {
            counters.add(Counter.TIMEOUTS);
            if (patience.isOver(now)) {
                failOldest(WorkStatus.RETRY_EXCEEDED);
            } else {
                goBack();
            }
        } else if (rnrTimer.isSet()) {
            patience.progress(now);
        }
        if (qp.isReady() && unacked != newest) {
            watch();
        }
    }

    /** Sends everything again that is not acknowledged. */
    private void goBack() {
        window = Math.max(Math.min(MIN_WINDOW, maxWindow), window / 2);
        growth = 0;
        rewind();
        pump();
    }

    private void rewind() {
        sendPsn = unacked;
        cursor = ring.start();
        cursorOffset = 0;
        while (cursor < ring.end()) {
            SendRequest request = ring.at(cursor);
            if (!request.isBegun()) {
                return;
            }
            int inside = Psn.distance(request.firstPsn(), unacked);
            if (request.travels() && inside < request.packets()) {
                cursorOffset = (long) inside * mtu;
                return;
            }
            cursor++;
        }
    }

    private void failOldest(WorkStatus status) {
        for (long i = ring.start(); i < ring.end(); i++) {
            SendRequest each = ring.at(i);
            if (each.travels() && !each.isDone() && each.failure() == null) {
                refuse(each, status);
                break;
            }
        }
        complete();
    }

    /** An acknowledgement came, good or bad. */
    void answered(Frame answer) {
        Peering peer = with;
        if (peer == null || !qp.isReady()) {
            return;
        }
        int syndrome = answer.syndrome();
        boolean good = Aeth.isAck(syndrome);
        int behind = Psn.plus(answer.psn(), good ? 1 : 0);
        if (!good) {
            counters.add(Counter.NAKS_RECEIVED);
        }
        // A NAK is about a packet that was sent and not acknowledged; an ACK may repeat itself.
        if (Psn.distance(unacked, behind) < 0 || Psn.distance(behind, newest) < (good ? 0 : 1)) {
            counters.add(Counter.STALE_ANSWERS);
            return;
        }
        acknowledge(behind);
        if (good) {
            pump();
        } else if (Aeth.isReceiverNotReady(syndrome)) {
            complete();
            backOff(peer, Aeth.rnrNanos(syndrome));
        } else if (syndrome == Aeth.SEQUENCE_ERROR) {
            complete();
            if (patience.countTry()) {
                failOldest(WorkStatus.RETRY_EXCEEDED);
            } else {
                goBack();
            }
        } else {
            failOldest(syndrome == Aeth.ACCESS_ERROR ? WorkStatus.REMOTE_ACCESS : WorkStatus.REMOTE_OPERATION);
        }
    }

    private void acknowledge(int behind) {
        int count = Psn.distance(unacked, behind);
        if (count == 0) {
            return;
        }
        unacked = behind;
        rnrRetries = 0;
        patience.progress(engine.now());
        if (unacked != newest) {
            watch();
        }
        if (window < largestWindow()) {
            growth += count;
            if (growth >= window) {
                growth = 0;
                window++;
            }
        }
        for (long i = ring.start(); i < ring.end(); i++) {
            SendRequest each = ring.at(i);
            if (!each.isBegun() || each.travels() && Psn.distance(each.firstPsn(), behind) < each.packets()) {
                break;
            }
            each.setDone();
        }
        if (Psn.distance(sendPsn, unacked) > 0) {
            // It was about to be sent again.
            rewind();
        }
    }

    private void backOff(Peering peer, long nanos) {
        int limit = peer.parameters().rnrRetryCount();
        if (rnrTimer.isSet() || unacked == newest) {
            return;
        }
        rnrRetries++;
        if (limit != ConnectParameters.FOR_EVER && rnrRetries > limit) {
            failOldest(WorkStatus.RNR_RETRY_EXCEEDED);
        } else {
            engine.timers().set(rnrTimer, engine.now() + nanos);
        }
    }

    private void onReady() {
        if (qp.isReady()) {
            patience.progress(engine.now());
            rewind();
            pump();
        }
    }

    /** Takes requests off that are complete, in their order. */
    private void complete() {
        while (!ring.isEmpty()) {
            SendRequest first = ring.at(ring.start());
            WorkStatus failure = first.failure();
            if (failure != null) {
                ring.removeFirst();
                qp.cq().add(first.id(), failure, first.operation(), 0, qp.number());
                qp.fail();
                return;
            }
            if (!first.isDone() || ring.start() == cursor) {
                return;
            }
            ring.removeFirst();
            if (first.isSignalled()) {
                qp.cq().add(first.id(), WorkStatus.SUCCESS, first.operation(), 0, qp.number());
            }
        }
    }

    /** Ends everything that is posted. */
    void flush() {
        stop();
        // One by one: a completion queue that overflows takes away the rest.
        while (!ring.isEmpty()) {
            SendRequest each = ring.at(ring.start());
            ring.removeFirst();
            qp.cq().addFlushed(each.id(), each.operation(), qp.number(), each.hasLeft());
        }
    }

    void forget() {
        stop();
        ring.clear();
    }

    private void stop() {
        with = null;
        engine.timers().cancel(answerTimer);
        engine.timers().cancel(rnrTimer);
    }
}
