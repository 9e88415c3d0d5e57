package org.railyard.roce.card;

import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Traced;
import org.railyard.base.host.Tracer;
import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.api.RoceCounters.Counter;
import org.railyard.roce.api.RoceSettings;
import org.railyard.roce.loop.ProviderThread;
import org.railyard.roce.loop.Timers;
import org.railyard.roce.net.Datagrams;
import org.railyard.roce.wire.Aeth;
import org.railyard.roce.wire.Frame;
import org.railyard.roce.wire.Opcode;
import org.railyard.roce.wire.Psn;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.WorkStatus;
import org.railyard.verbs.card.SendQueue;
import org.railyard.verbs.card.SendRequest;
import org.railyard.verbs.card.memory.MemoryPiece;

/**
 * The sending half of a reliable connection (spec 23 §5.2): requests as packets, in order, at most a window of them
 * without an answer. After a NAK or a time without answers it goes back to the first packet that is not acknowledged.
 * Loss halves the window, progress lets it grow again.
 */
final class RoceRequester {
    /** Longest message, bytes: its smallest packets are fewer than half of the numbers that there are. */
    private static final long MAX_MESSAGE = 1L << 30;

    /** Messages of so many bytes are work for a while, as those are into which a user has put many. */
    private static final int LARGE_MESSAGE = 1 << 10;

    /** So many bytes of them leave at once, whatever else is to be sent. */
    private static final int PUSH_BYTES = 11 << 10;

    /**
     * Of the window, two fifths leave at once: then the receiver is woken for four of the system's longest messages if
     * its window is large, and for one if that is two of them.
     */
    private static final int PARTS_AT_ONCE = 2;

    private static final int WINDOW_PARTS = 5;

    /** Most bytes without an answer: what a socket of usual size has room for. */
    private static final int WINDOW_BYTES = 128 << 10;

    /** The same for a socket that is known to be large. */
    private static final int MAX_WINDOW_BYTES = 512 << 10;

    /** So much of a socket's room one connection takes: others use it, too. */
    private static final int SHARE = 4;

    /** What a system counts for a small packet, bytes. */
    private static final int PACKET_ROOM = 2304;

    private static final int KIB = 1024;

    /** From this length on the system fetches payload from where it is, bytes: less is copied faster than described. */
    private static final int STAYS_FROM = 2048;

    /** Smallest window, packets. */
    private static final int MIN_WINDOW = 4;

    /** How often in a window an acknowledgement is asked for. */
    private static final int ANSWERS_PER_WINDOW = 4;

    /** Why it goes back, for those who record. */
    private static final String TIME_OUT = "time-out";

    private static final String NAK = "NAK";
    private static final String RNR_NAK = "RNR NAK";

    private final RoceQp qp;
    private final ProviderThread engine;
    private final RocePort port;
    private final RoceCounters counters;
    private final Tracer tracer;
    private final int maxWindow;
    private final SendQueue queue;
    private final Timers.Timer answerTimer;
    private final Timers.Timer rnrTimer;
    private final RetryTimer retryTimer;
    private final Runnable sendAgain;
    private final Datagrams.Unsent unsent = this::onUnsent;
    private @Nullable RocePeer with;
    private int mtu = 1;

    /** The next packet to send, and what it is part of. */
    private int sendPsn;

    private long cursor;
    private long cursorOffset;

    /** The oldest packet that is not acknowledged, and the number behind the newest that was ever sent. */
    private int unacked;

    private int newest;

    /** The first packet that was new after the socket's flush of this number, −1 for none. */
    private int firstOfFlush;

    private long flush = -1;
    private int window;
    private int largest;
    private int growth;

    /** Nothing was lost yet. */
    private boolean slowStart;

    private int sinceAsked;
    /** Bytes of large messages since that flush. */
    private long unpushed;

    private int rnrRetries;
    private boolean waitsForSocket;

    /** Where the payload of the packet is that is written. */
    private final MemoryPiece piece = new MemoryPiece();

    RoceRequester(RoceQp qp, RocePort port, CardContext context) {
        this.qp = qp;
        this.engine = context.engine();
        this.port = port;
        this.counters = context.counters();
        this.tracer = context.tracer();
        this.maxWindow = context.settings().window();
        this.queue = qp.sends();
        this.answerTimer = new Timers.Timer(qp.guarded(this::onTimer));
        this.rnrTimer = new Timers.Timer(qp.guarded(this::onReady));
        this.sendAgain = qp.guarded(this::onWritable);
        this.retryTimer = new RetryTimer(context.settings().probeNanos());
    }

    void begin(RocePeer peer) {
        with = peer;
        mtu = peer.mtu();
        sendPsn = peer.sendPsn();
        unacked = sendPsn;
        newest = sendPsn;
        firstOfFlush = sendPsn;
        largest = largestWindow(peer.room() * KIB / SHARE);
        // More than everybody copes with only when it turns out to go well.
        window = Math.min(largest, largestWindow(0));
        slowStart = true;
        retryTimer.begin(peer.ackNanos(), peer.parameters().retryCount());
    }

    /**
     * Returns the largest window, packets.
     *
     * @param room bytes that the peer has for it; 0 if that is not known
     */
    private int largestWindow(int room) {
        int bytes = Math.clamp(room, WINDOW_BYTES, MAX_WINDOW_BYTES);
        int packets = Math.max(RoceSettings.UNKNOWN_WINDOW, room / PACKET_ROOM);
        return Math.min(Math.min(maxWindow, packets), Math.max(MIN_WINDOW, bytes / mtu));
    }

    /** Sends what may be sent. */
    void pump() {
        RocePeer peer = with;
        while (peer != null && maySend() && cursor < queue.end()) {
            SendRequest request = queue.at(cursor);
            if (!request.isBegun() && !request.hasFailed()) {
                queue.begin(request, sendPsn, mtu, MAX_MESSAGE);
            }
            if (request.hasFailed()) {
                break;
            }
            if (!request.travels() || request.isDone()) {
                cursor++;
                continue;
            }
            if (Psn.distance(unacked, sendPsn) >= window || !transmit(request, peer)) {
                break;
            }
        }
        complete();
    }

    private boolean maySend() {
        return qp.isReady() && !rnrTimer.isSet() && !waitsForSocket;
    }

    /**
     * Lets what was sent leave before the turn ends, so that the other side is at work on it while more is made here:
     * large messages by threes, and of one that is far larger a good part of the window at a time.
     */
    private void push(SendRequest request, boolean ends) {
        if (ends && !request.isWrite() && request.bytes() >= LARGE_MESSAGE) {
            unpushed += request.bytes();
        }
        if (unpushed >= PUSH_BYTES || (long) port.fullBytes() * WINDOW_PARTS >= (long) window * mtu * PARTS_AT_ONCE) {
            unpushed = 0;
            port.flush();
        }
    }

    /** Sends the packet at the cursor; false if it could not be sent now, or not at all. */
    private boolean transmit(SendRequest request, RocePeer peer) {
        int length = (int) Math.min(mtu, request.bytes() - cursorOffset);
        boolean begins = cursorOffset == 0;
        boolean ends = cursorOffset + length == request.bytes();
        boolean wantsAck =
                ends || ++sinceAsked * ANSWERS_PER_WINDOW >= window || Psn.distance(unacked, sendPsn) + 1 >= window;
        Frame frame = port.outgoing()
                .begin(
                        Opcode.of(request.isWrite(), begins, ends),
                        peer.remoteQpn(),
                        ends && !request.isWrite(),
                        wantsAck,
                        sendPsn);
        if (begins && request.isWrite()) {
            frame.reth(request.remoteAddress(), request.key(), (int) request.bytes());
        }
        if (!fill(frame, request, length)) {
            queue.fail(request, WorkStatus.LOCAL_PROTECTION);
            return false;
        }
        if (ends) {
            // Before it is sent: that it does not leave may be told at once.
            request.setLeft();
        }
        if (flush != port.flushes()) {
            flush = port.flushes();
            firstOfFlush = newest;
            unpushed = 0;
        }
        Datagrams.Sent sent = port.send(peer.route(), unsent, sendPsn);
        if (ends && sent != Datagrams.Sent.YES) {
            request.unsetLeft();
        }
        if (sent == Datagrams.Sent.BUSY) {
            waitsForSocket = true;
            engine.inNextTurn(sendAgain);
            return false;
        }
        if (wantsAck) {
            sinceAsked = 0;
        }
        push(request, ends);
        if (Psn.distance(sendPsn, newest) > 0) {
            counters.add(Counter.RESENT);
        }
        step(ends, length);
        return true;
    }

    /** Gives a packet its payload; false if that is not registered any more. */
    private boolean fill(Frame frame, SendRequest request, int length) {
        // What is sent again may be acknowledged before it leaves, and then the memory is its owner's.
        boolean mayStay = length >= STAYS_FROM && sendPsn == newest && port.fetchesPayload();
        if (mayStay && request.locate(qp.pd(), cursorOffset, length, piece)) {
            frame.payload(piece);
            return true;
        }
        if (!request.copy(qp.pd(), cursorOffset, length, frame.memory(), frame.payloadOffset())) {
            return false;
        }
        frame.payload(length);
        return true;
    }

    /** A packet that the network seemed to take has not left. */
    private void onUnsent(int psn) {
        for (long i = queue.start(); i < queue.end(); i++) {
            SendRequest each = queue.at(i);
            if (!each.isBegun()) {
                return;
            }
            if (each.travels() && Psn.distance((int) each.firstPsn(), psn) == each.packets() - 1) {
                each.unsetLeft();
                return;
            }
        }
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
            retryTimer.progress(engine.now());
        }
        watch();
    }

    private void watch() {
        if (!answerTimer.isSet() || answerTimer.at() - retryTimer.next() > 0) {
            engine.timers().set(answerTimer, retryTimer.next());
        }
    }

    /** The network may take something again. */
    private void onWritable() {
        waitsForSocket = false;
        pump();
    }

    private void onTimer() {
        RocePeer peer = with;
        if (peer == null || !qp.isReady() || unacked == newest) {
            return;
        }
        long now = engine.now();
        if (!rnrTimer.isSet() && retryTimer.next() - now <= 0) {
            counters.add(Counter.TIMEOUTS);
            if (retryTimer.isOver(now)) {
                failOldest(WorkStatus.RETRY_EXCEEDED);
            } else {
                goBack(TIME_OUT);
            }
        } else if (rnrTimer.isSet()) {
            retryTimer.progress(now);
        }
        if (qp.isReady() && unacked != newest) {
            watch();
        }
    }

    /** Sends everything again that is not acknowledged. */
    private void goBack(String why) {
        trace(why);
        window = Math.max(Math.min(MIN_WINDOW, maxWindow), window / 2);
        growth = 0;
        slowStart = false;
        rewind();
        pump();
    }

    private void trace(String why) {
        RocePeer peer = with;
        if (peer != null && unacked != newest && tracer.wants(Traced.Kind.RETRANSMISSION)) {
            tracer.trace(new Traced.Retransmission(
                    port.device(), qp.number(), peer.remoteQpn(), unacked, Psn.distance(unacked, newest), why));
        }
    }

    private void rewind() {
        sendPsn = unacked;
        cursor = queue.start();
        cursorOffset = 0;
        while (cursor < queue.end()) {
            SendRequest request = queue.at(cursor);
            if (!request.isBegun()) {
                return;
            }
            int inside = Psn.distance((int) request.firstPsn(), unacked);
            if (request.travels() && inside < request.packets()) {
                cursorOffset = (long) inside * mtu;
                return;
            }
            cursor++;
        }
    }

    private void failOldest(WorkStatus status) {
        queue.failOldest(status);
        complete();
    }

    /** An acknowledgement came, good or bad. */
    void answered(Frame answer) {
        RocePeer peer = with;
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
        if (Psn.distance(unacked, behind) < 0 || Psn.distance(behind, left()) < (good ? 0 : 1)) {
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
            if (retryTimer.countTry()) {
                failOldest(WorkStatus.RETRY_EXCEEDED);
            } else {
                goBack(NAK);
            }
        } else {
            failOldest(syndrome == Aeth.ACCESS_ERROR ? WorkStatus.REMOTE_ACCESS : WorkStatus.REMOTE_OPERATION);
        }
    }

    /**
     * Returns the number behind the newest packet that can have arrived. Answers to those that still wait to leave are
     * forged: the memory of the payload must not be its owner's yet.
     */
    private int left() {
        return flush >= 0 && flush == port.flushes() ? firstOfFlush : newest;
    }

    private void acknowledge(int behind) {
        int count = Psn.distance(unacked, behind);
        if (count == 0) {
            return;
        }
        unacked = behind;
        rnrRetries = 0;
        retryTimer.progress(engine.now());
        if (unacked != newest) {
            watch();
        }
        grow(count);
        for (long i = queue.start(); i < queue.end(); i++) {
            SendRequest each = queue.at(i);
            if (!each.isBegun() || each.travels() && Psn.distance((int) each.firstPsn(), behind) < each.packets()) {
                break;
            }
            each.setDone();
        }
        if (Psn.distance(sendPsn, unacked) > 0) {
            // It was about to be sent again.
            rewind();
        }
    }

    /** So many more packets were acknowledged: doubles the window each time until something is lost, then adds one. */
    private void grow(int count) {
        if (window >= largest) {
            return;
        }
        growth += count;
        if (slowStart) {
            window = Math.min(largest, window + growth);
            growth = 0;
        } else if (growth >= window) {
            growth = 0;
            window++;
        }
    }

    private void backOff(RocePeer peer, long nanos) {
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
            retryTimer.progress(engine.now());
            trace(RNR_NAK);
            rewind();
            pump();
        }
    }

    private void complete() {
        queue.complete(cursor);
    }

    /** Sends nothing any more. */
    void stop() {
        with = null;
        engine.timers().cancel(answerTimer);
        engine.timers().cancel(rnrTimer);
        // The memory of its requests is its owner's from now on.
        port.flush();
    }
}
