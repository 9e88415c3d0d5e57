package org.railyard.o2iblnd.connection;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.o2iblnd.ni.NiContext;
import org.railyard.o2iblnd.transfer.Card;
import org.railyard.o2iblnd.transfer.Payload;
import org.railyard.o2iblnd.transfer.Tx;
import org.railyard.o2iblnd.transfer.TxList;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.QueueSizing;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.Packing;
import org.railyard.verbs.WorkChain;

/** The sending half of a connection: queues, credits, answers that are waited for (spec 20 §9, §13). */
final class ConnectionSender {
    /** A second: less is not looked at. */
    private static final long SHORTEST_KEEPALIVE = 1_000_000_000L;

    private final Connection conn;
    private final RemotePeer peer;
    private final NiContext ni;
    private final Card card;
    private final Buffers buffers;
    private final int maxRequests;
    private final Transactions transactions;
    /** Answers, which take no credit. */
    private final ArrayDeque<Tx> answers = new ArrayDeque<>();
    /** Transactions for whose answers no buffer is reserved yet. */
    private final ArrayDeque<Tx> unreserved = new ArrayDeque<>();

    /**
     * NOOPs, where they take a credit: before all else that does. At most one, as what is wanted is known when it can
     * go.
     */
    private final ArrayDeque<Tx> noops = new ArrayDeque<>();

    private final ArrayDeque<Tx> ready = new ArrayDeque<>();
    /** What is posted, is to be answered, or waits for memory. */
    private final TxList active = new TxList();

    /** By their buffers, what is posted and how many work requests it takes. */
    private final @Nullable Tx[] posted;

    private final int[] postedRequests;
    private final KibMessage outgoing = new KibMessage();
    private final WorkChain chain = new WorkChain();
    private ConnectionCredits credits = new ConnectionCredits(1, 1, 1, false);
    private boolean begun;
    private int requests;
    private long lastSend;

    ConnectionSender(Connection conn, RemotePeer peer, NiContext ni, Card card, Buffers buffers, QueueSizing sizing) {
        this.conn = conn;
        this.peer = peer;
        this.ni = ni;
        this.card = card;
        this.buffers = buffers;
        this.maxRequests = sizing.sendRequests();
        this.posted = new @Nullable Tx[buffers.count()];
        this.postedRequests = new int[buffers.count()];
        this.transactions = new Transactions(conn, ni, card, peer.shares(), buffers.qp(), this, sizing);
    }

    void begin(ConnectionCredits counters) {
        credits = counters;
        begun = true;
        lastSend = ni.now();
    }

    void queue(Tx tx) {
        long now = ni.now();
        tx.setDeadline(now + tx.limitNanos());
        enqueue(tx, now);
    }

    /** Queues a transmit whose time began when it had to get memory. */
    void queueBegun(Tx tx) {
        enqueue(tx, ni.now());
    }

    private void enqueue(Tx tx, long now) {
        tx.setQueued(true);
        switch (tx.type()) {
            case PUT_REQ, GET_REQ -> unreserved.add(tx);
            case IMMEDIATE -> {
                ready.add(tx);
                if (conn.packs()) {
                    conn.pumpSoon();
                    return;
                }
            }
            default -> answers.add(tx);
        }
        pump(now);
    }

    /** Tells the peer what this node knows, before all else. */
    void greet() {
        Tx noop = ni.transmits().take(KibType.NOOP, null, false, ni.timeoutNanos());
        noop.setGreets();
        queue(noop);
    }

    Transactions transactions() {
        return transactions;
    }

    /** Keeps a transmit that is neither queued nor posted: it waits for memory. */
    void hold(Tx tx) {
        active.add(tx);
    }

    /** Queues a transmit of which nothing has been sent, and which has all that it needs but a credit. */
    void ready(Tx tx) {
        active.remove(tx);
        tx.setQueued(true);
        ready.add(tx);
    }

    /** The buffer that was reserved for the answer to a transaction is not needed. */
    void unreserve() {
        credits.unreserve();
    }

    /** A buffer for whatever comes is free again. */
    void bufferFreed() {
        credits.bufferFreed();
    }

    /** Posts what may be posted. */
    void pump() {
        pump(ni.now());
    }

    private void pump(long now) {
        if (!begun || !conn.isEstablished()) {
            return;
        }
        while (!unreserved.isEmpty() && credits.reserve()) {
            transactions.admit(unreserved.remove());
        }
        if (noops.isEmpty() && credits.wantsNoop(isNoopDue(now), !answers.isEmpty(), !ready.isEmpty())) {
            Tx noop = ni.transmits().take(KibType.NOOP, null, false, ni.timeoutNanos());
            noop.setDeadline(now + noop.limitNanos());
            noop.setQueued(true);
            (credits.noopsTakeCredits() ? noops : answers).add(noop);
        }
        while (conn.isEstablished() && credits.mayPost()) {
            ArrayDeque<Tx> next = next(now);
            if (next == null || !post(next, now)) {
                break;
            }
        }
        assert credits.flaw().isEmpty() : credits.flaw();
    }

    /** Returns the queue whose first transmit is next; null if there is none that may go. */
    private @Nullable ArrayDeque<Tx> next(long now) {
        dropNeedlessNoops(answers, now);
        dropNeedlessNoops(noops, now);
        if (!answers.isEmpty()) {
            return answers;
        }
        if (!noops.isEmpty() && credits.hasCreditForNoop()) {
            return noops;
        }
        return ready.isEmpty() || !credits.hasCredit() ? null : ready;
    }

    private void dropNeedlessNoops(ArrayDeque<Tx> queue, long now) {
        Tx first = queue.peek();
        while (first != null
                && first.type() == KibType.NOOP
                && !first.greets()
                && credits.outstanding() == 0
                && !isNoopDue(now)) {
            // Others took the credits along.
            ni.transmits().giveBack(queue.remove());
            first = queue.peek();
        }
    }

    private boolean isNoopDue(long now) {
        long silent = now - lastSend;
        if (silent < SHORTEST_KEEPALIVE) {
            return false;
        }
        long keepalive = ni.keepaliveNanos();
        return keepalive > 0 && silent >= keepalive;
    }

    /** Posts the first transmit of a queue. */
    private boolean post(ArrayDeque<Tx> queue, long now) {
        int slot = buffers.takeSend();
        if (slot < 0) {
            return false;
        }
        Tx tx = queue.element();
        chain.clear();
        transactions.appendTransfer(tx, slot, chain);
        if (requests + chain.size() + 1 > maxRequests) {
            buffers.giveBackSend(slot);
            return false;
        }
        queue.remove();
        tx.setQueued(false);
        if (!copyPayload(tx, slot)) {
            buffers.giveBackSend(slot);
            tx.fail(Errno.EFAULT.status(), HealthStatus.LOCAL_ERROR);
            finishIfIdle(tx);
            return true;
        }
        int back = credits.post(tx.type().takesCredit(), tx.type() == KibType.NOOP);
        tx.posted();
        transactions.posted(tx);
        active.add(tx);
        int bytes = conn.packs() && tx.type() == KibType.IMMEDIATE ? pack(tx, slot) : 0;
        write(tx, slot, back, bytes);
        chain.send(slot, true).gather(buffers.address(slot), outgoing.header().bytes(), buffers.key());
        posted[slot] = tx;
        postedRequests[slot] = chain.size();
        requests += chain.size();
        lastSend = now;
        if (tx.type() != KibType.NOOP) {
            conn.noteActivity(now);
        }
        if (buffers.qp().postSend(chain) < chain.size()) {
            ni.warn(peer + ": the card does not take " + tx);
            conn.close(CloseReason.BROKEN);
            return false;
        }
        return true;
    }

    /**
     * Puts messages that are ready behind the first one, as many as there is room for (spec 20 §23).
     *
     * @return how long the message is then, bytes; 0 if there is nothing behind the first
     */
    private int pack(Tx first, int slot) {
        int end = KibMessage.PAYLOAD_OFFSET
                + Objects.requireNonNull(first.message()).payloadLength();
        boolean any = false;
        Tx last = first;
        for (Tx tx = ready.peek(); tx != null && tx.type() == KibType.IMMEDIATE; tx = ready.peek()) {
            LndMessage message = Objects.requireNonNull(tx.message());
            int at = Packing.align(end);
            int payload = at + LNetHeader.NID4_BYTES;
            if (payload + message.payloadLength() > Kib.MESSAGE_BYTES) {
                break;
            }
            ready.remove();
            tx.setQueued(false);
            if (!Payload.copy(message, buffers.bytes(), (int) buffers.offset(slot) + payload)) {
                tx.fail(Errno.EFAULT.status(), HealthStatus.LOCAL_ERROR);
                finishIfIdle(tx);
                continue;
            }
            message.header().write(buffers.memory(), buffers.offset(slot) + at, false);
            tx.posted();
            active.add(tx);
            last.setPacked(tx);
            last = tx;
            end = payload + message.payloadLength();
            any = true;
        }
        return any ? end : 0;
    }

    /** Puts payload that goes with its message into the buffer behind it; false if its memory can not be read. */
    private boolean copyPayload(Tx tx, int slot) {
        return tx.type() != KibType.IMMEDIATE
                || Payload.copy(
                        Objects.requireNonNull(tx.message()),
                        buffers.bytes(),
                        (int) buffers.offset(slot) + KibMessage.PAYLOAD_OFFSET);
    }

    /** @param bytes how long an IMMEDIATE is with what is packed behind it; 0 if nothing is */
    private void write(Tx tx, int slot, int back, int bytes) {
        LndMessage message = tx.message();
        int version = conn.version();
        outgoing.header().setSource(ni.nid4(), ni.stamp());
        outgoing.header().setDestination(peer.nid4(), peer.stamp());
        outgoing.header().setCredits(back);
        switch (tx.type()) {
            case NOOP -> {
                if (tx.greets()) {
                    outgoing.setGreeting(version);
                    Packing.writeNoop(buffers.memory(), buffers.offset(slot));
                } else {
                    outgoing.setNoop(version);
                }
            }
            case IMMEDIATE -> {
                LndMessage whole = Objects.requireNonNull(message);
                outgoing.setImmediate(version, whole.header(), whole.payloadLength());
                if (bytes > 0) {
                    outgoing.header().setBytes(bytes);
                }
            }
            case PUT_REQ ->
                outgoing.setPutRequest(version, Objects.requireNonNull(message).header(), tx.cookie());
            case GET_REQ ->
                outgoing.setGetRequest(
                        version,
                        Objects.requireNonNull(message).header(),
                        tx.cookie(),
                        Objects.requireNonNull(tx.sink()));
            case PUT_ACK ->
                outgoing.setPutAck(version, tx.peerCookie(), tx.cookie(), Objects.requireNonNull(tx.sink()));
            case PUT_NAK, PUT_DONE, GET_DONE ->
                outgoing.setCompletion(version, tx.type(), tx.peerCookie(), tx.completionStatus());
            default -> throw new IllegalStateException("no transmit sends " + tx.type());
        }
        outgoing.write(buffers.memory(), buffers.offset(slot));
        if (ni.checksums()) {
            outgoing.writeChecksum(buffers.memory(), buffers.offset(slot), ni.tunable(O2ibTunable.CKSUM_SIGNED) != 0);
        }
    }

    /** The SEND from a buffer is complete. */
    void sent(int slot) {
        Tx tx = posted[slot];
        if (tx == null) {
            throw new IllegalStateException("nothing was sent from buffer " + slot);
        }
        posted[slot] = null;
        buffers.giveBackSend(slot);
        requests -= postedRequests[slot];
        credits.sent(tx.type() == KibType.NOOP);
        for (Tx next = tx.packed(); tx != null; tx = next) {
            next = tx.packed();
            tx.setPacked(null);
            tx.sent();
            finishIfIdle(tx);
        }
    }

    /** The SEND from a buffer has certainly not reached the peer: what it began may begin again elsewhere. */
    void recall(int slot) {
        Tx tx = posted[slot];
        if (tx != null && tx.type().takesCredit() && tx.message() != null) {
            for (Tx next = tx.packed(); tx != null; tx = next) {
                next = tx.packed();
                tx.setPacked(null);
                tx.recall();
            }
        }
    }

    /** Gives a transmit back if nothing of it is outstanding. */
    void finishIfIdle(Tx tx) {
        if (tx.isIdle()) {
            active.remove(tx);
            card.giveBack(tx);
            ni.finish(tx);
        }
    }

    /** Ends what has waited for memory of this node for too long: the peer and the connection are well. */
    void endLateWaits(long now) {
        for (Tx tx = firstLateWait(now); tx != null; tx = firstLateWait(now)) {
            transactions.endWait(tx);
        }
    }

    private @Nullable Tx firstLateWait(long now) {
        Tx tx = active.first();
        while (tx != null && !(tx.wantsChunk() && tx.deadline() <= now)) {
            tx = tx.next();
        }
        return tx;
    }

    /** Tells whether a limit has passed. */
    boolean isLate(long now) {
        for (Tx tx = active.first(); tx != null; tx = tx.next()) {
            if (tx.deadline() <= now) {
                return true;
            }
        }
        return isLate(answers, now) || isLate(noops, now) || isLate(ready, now) || isLate(unreserved, now);
    }

    private static boolean isLate(Iterable<Tx> queue, long now) {
        for (Tx tx : queue) {
            if (tx.deadline() <= now) {
                return true;
            }
        }
        return false;
    }

    /** Tells whether nothing is to be sent, on its way, or to be answered. */
    boolean isIdle() {
        return active.isEmpty() && answers.isEmpty() && noops.isEmpty() && ready.isEmpty() && unreserved.isEmpty();
    }

    /** Ends everything; returns the transmits, to be finished when the card is done with them. */
    List<Tx> takeAll() {
        List<Tx> all = new ArrayList<>();
        List<ArrayDeque<Tx>> queues = List.of(answers, noops, ready, unreserved);
        queues.forEach(queue -> queue.forEach(active::remove));
        active.moveTo(all);
        queues.forEach(all::addAll);
        transactions.forget(all);
        queues.forEach(ArrayDeque::clear);
        Arrays.fill(posted, null);
        return all;
    }
}
