package org.railyard.o2iblnd;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.Errno;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.o2iblnd.rdma.RdmaChain;
import org.railyard.o2iblnd.tune.QueueSizing;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.RdmaDescriptor;
import org.railyard.verbs.WorkChain;

/** The sending half of a connection: queues, credits, answers that are waited for (spec 20 §9, §13). */
final class Sender {
    private final IbConn conn;
    private final IbNi ni;
    private final Card card;
    private final Buffers buffers;
    private final int maxRequests;
    private final int gather;
    /** Answers, which take no credit. */
    private final ArrayDeque<Tx> answers = new ArrayDeque<>();
    /** Transactions for whose answers no buffer is reserved yet. */
    private final ArrayDeque<Tx> unreserved = new ArrayDeque<>();

    private final ArrayDeque<Tx> ready = new ArrayDeque<>();
    private final Set<Tx> active = new LinkedHashSet<>();
    private final Map<Long, Tx> awaited = new LinkedHashMap<>();
    private final Map<Integer, Posted> posted = new LinkedHashMap<>();
    private final KibMessage outgoing = new KibMessage();
    private final WorkChain chain = new WorkChain();
    private final RdmaDescriptor source = new RdmaDescriptor();
    private Credits credits = new Credits(1, 1, 1);
    private boolean begun;
    private int requests;
    private long lastSend;

    /** A message that is posted, and how many work requests it takes. */
    private record Posted(Tx tx, int requests) {}

    Sender(IbConn conn, IbNi ni, Card card, Buffers buffers, QueueSizing sizing) {
        this.conn = conn;
        this.ni = ni;
        this.card = card;
        this.buffers = buffers;
        this.maxRequests = sizing.sendRequests();
        this.gather = sizing.gather();
    }

    void begin(Credits counters) {
        credits = counters;
        begun = true;
        lastSend = ni.now();
    }

    void queue(Tx tx) {
        tx.setDeadline(ni.now() + tx.limitNanos());
        tx.setQueued(true);
        switch (tx.type()) {
            case PUT_REQ -> unreserved.add(tx);
            case IMMEDIATE -> ready.add(tx);
            default -> answers.add(tx);
        }
        pump();
    }

    /** Posts what may be posted. */
    void pump() {
        if (!begun || !conn.isEstablished()) {
            return;
        }
        while (!unreserved.isEmpty() && credits.reserve()) {
            ready.add(unreserved.remove());
        }
        if (credits.wantsNoop(isNoopDue(), !answers.isEmpty(), !ready.isEmpty())) {
            Tx noop = new Tx(KibType.NOOP, null, false, ni.timeoutNanos());
            noop.setDeadline(ni.now() + noop.limitNanos());
            noop.setQueued(true);
            answers.add(noop);
        }
        while (conn.isEstablished() && credits.mayPost()) {
            Tx next = next();
            if (next == null || !post(next)) {
                break;
            }
        }
        assert credits.flaw().isEmpty() : credits.flaw();
    }

    private @Nullable Tx next() {
        Tx answer = answers.peek();
        while (answer != null && answer.type() == KibType.NOOP && credits.outstanding() == 0 && !isNoopDue()) {
            // Others took the credits along.
            answers.remove();
            answer = answers.peek();
        }
        return answer != null || !credits.hasCredit() ? answer : ready.peek();
    }

    private boolean isNoopDue() {
        long keepalive = ni.keepaliveNanos();
        return keepalive > 0 && ni.now() - lastSend >= keepalive;
    }

    private boolean post(Tx tx) {
        int slot = buffers.takeSend();
        if (slot < 0) {
            return false;
        }
        chain.clear();
        appendTransfer(tx, slot);
        if (requests + chain.size() + 1 > maxRequests) {
            buffers.giveBackSend(slot);
            return false;
        }
        (tx == answers.peek() ? answers : ready).remove();
        boolean takesCredit = tx.type() == KibType.IMMEDIATE || tx.type() == KibType.PUT_REQ;
        int back = credits.post(takesCredit, tx.type() == KibType.NOOP);
        write(tx, slot, back);
        chain.send(slot, true).gather(buffers.address(slot), outgoing.header().bytes(), buffers.key());
        tx.setQueued(false);
        tx.posted();
        if (tx.type() == KibType.PUT_REQ || tx.type() == KibType.PUT_ACK) {
            tx.setWaiting(true);
            awaited.put(tx.cookie(), tx);
        }
        active.add(tx);
        posted.put(slot, new Posted(tx, chain.size()));
        requests += chain.size();
        lastSend = ni.now();
        if (tx.type() != KibType.NOOP) {
            conn.noteActivity();
        }
        if (buffers.qp().postSend(chain) < chain.size()) {
            ni.warn(conn.peer() + ": the card does not take " + tx);
            conn.close(CloseReason.BROKEN);
            return false;
        }
        return true;
    }

    /** Appends what a message needs before it: the registration of memory, and RDMA writes. */
    private void appendTransfer(Tx tx, int slot) {
        RdmaDescriptor sink = tx.sink();
        Transfer memory = tx.memory();
        if (sink == null || memory == null || tx.completionStatus() < 0) {
            return;
        }
        memory.prepare(chain, slot);
        if (tx.type() == KibType.PUT_DONE || tx.type() == KibType.GET_DONE) {
            int bytes = tx.completionStatus();
            memory.describe(source, bytes, false);
            int status = RdmaChain.append(source, sink, bytes, gather, conn.maxFragments(), slot, chain);
            if (status < 0) {
                // The sink hears of it, and so does whoever sent this.
                tx.fail(status, HealthStatus.LOCAL_ERROR);
                tx.setCompletionStatus(status);
            }
        }
    }

    private void write(Tx tx, int slot, int back) {
        LndMessage message = tx.message();
        outgoing.header().setSource(ni.nid4(), ni.stamp());
        outgoing.header().setDestination(conn.peer().nid4(), conn.peer().stamp());
        outgoing.header().setCredits(back);
        switch (tx.type()) {
            case NOOP -> outgoing.setNoop(Kib.V2);
            case IMMEDIATE -> {
                LndMessage whole = Objects.requireNonNull(message);
                outgoing.setImmediate(Kib.V2, whole.header(), whole.payloadLength());
                Payload.gather(whole, buffers.memory(), buffers.offset(slot) + KibMessage.PAYLOAD_OFFSET);
            }
            case PUT_REQ ->
                outgoing.setPutRequest(Kib.V2, Objects.requireNonNull(message).header(), tx.cookie());
            case PUT_ACK -> outgoing.setPutAck(Kib.V2, tx.peerCookie(), tx.cookie(), Objects.requireNonNull(tx.sink()));
            case PUT_NAK, PUT_DONE, GET_DONE ->
                outgoing.setCompletion(Kib.V2, tx.type(), tx.peerCookie(), tx.completionStatus());
            default -> throw new IllegalStateException("no transmit sends " + tx.type());
        }
        outgoing.write(buffers.memory(), buffers.offset(slot));
        if (ni.checksums()) {
            outgoing.writeChecksum(buffers.memory(), buffers.offset(slot), true);
        }
    }

    /** The SEND from a buffer is complete. */
    void sent(int slot) {
        Posted done = posted.remove(slot);
        if (done == null) {
            throw new IllegalStateException("nothing was sent from buffer " + slot);
        }
        buffers.giveBackSend(slot);
        requests -= done.requests;
        credits.sent(done.tx.type() == KibType.NOOP);
        done.tx.sent();
        finishIfIdle(done.tx);
    }

    private void finishIfIdle(Tx tx) {
        if (tx.isIdle()) {
            active.remove(tx);
            card.giveBack(tx);
            ni.finish(tx);
        }
    }

    private @Nullable Tx match(KibMessage answer, long cookie, KibType to) {
        Tx tx = awaited.get(cookie);
        if (tx == null || tx.type() != to || !tx.isWaiting()) {
            conn.refuse("answers " + answer.type() + " " + cookie + ", which nobody waits for");
            return null;
        }
        awaited.remove(cookie);
        tx.setWaiting(false);
        return tx;
    }

    /** The sink of a PUT tells where to write. */
    void acknowledged(KibMessage answer) {
        Tx tx = match(answer, answer.cookie(), KibType.PUT_REQ);
        if (tx == null) {
            return;
        }
        LndMessage message = Objects.requireNonNull(tx.message());
        RdmaDescriptor sink = new RdmaDescriptor();
        sink.copyFrom(answer.descriptor());
        long wanted = sink.totalBytes();
        if (wanted > message.payloadLength()) {
            tx.setWaiting(true);
            conn.refuse("wants " + wanted + " bytes of a PUT of " + message.payloadLength());
            return;
        }
        tx.setSink(sink);
        tx.setPeerCookie(answer.sinkCookie());
        tx.setCompletionStatus((int) wanted);
        writePayload(tx, message, KibType.PUT_DONE, (int) wanted);
    }

    /** The stack replies to a GET of the peer that said where to write. */
    void answer(Tx tx, PendingGets.Get get) {
        LndMessage message = Objects.requireNonNull(tx.message());
        int bytes = message.payloadLength();
        tx.setPeerCookie(get.cookie());
        tx.setSink(get.sink());
        tx.setCompletionStatus(bytes);
        if (bytes > get.sink().totalBytes()) {
            giveUp(tx, KibType.GET_DONE, Errno.EPROTO);
        } else if (bytes == 0) {
            tx.become(KibType.GET_DONE);
            queue(tx);
        } else {
            active.add(tx);
            writePayload(tx, message, KibType.GET_DONE, bytes);
        }
    }

    /** Gets memory for a payload, and queues the writes with the message that ends the transaction. */
    private void writePayload(Tx tx, LndMessage message, KibType last, int bytes) {
        tx.setWantsChunk(true);
        tx.setDeadline(ni.now() + tx.limitNanos());
        MappedMemory mapped = card.regions().map(message, bytes, conn.maxFragments());
        if (mapped != null && !fits(mapped, tx, bytes)) {
            card.regions().withdraw(mapped);
            mapped = null;
        }
        if (mapped != null) {
            beginWrite(tx, message, last, bytes, mapped);
        } else if (!card.sources().take(tx, chunk -> beginWrite(tx, message, last, bytes, chunk))) {
            tx.setWantsChunk(false);
            giveUp(tx, last, Errno.ENOMEM);
        }
    }

    /** Tells whether the pieces of the source and those of the sink can be brought together in as many writes as were agreed. */
    private boolean fits(MappedMemory mapped, Tx tx, int bytes) {
        mapped.describe(source, bytes, false);
        chain.clear();
        RdmaDescriptor sink = Objects.requireNonNull(tx.sink());
        int writes = RdmaChain.append(source, sink, bytes, gather, conn.maxFragments(), 0, chain);
        chain.clear();
        return writes >= 0;
    }

    private void beginWrite(Tx tx, LndMessage message, KibType last, int bytes, Transfer memory) {
        tx.setMemory(memory);
        tx.setWantsChunk(false);
        memory.fill(message, bytes);
        tx.become(last);
        queue(tx);
    }

    /** Ends a transaction with an error: the peer hears of it, and so does whoever sent this. */
    private void giveUp(Tx tx, KibType last, Errno why) {
        tx.fail(why.status(), HealthStatus.LOCAL_ERROR);
        tx.setCompletionStatus(why.status());
        tx.become(last);
        queue(tx);
    }

    /** The sink of a PUT wants nothing. */
    void refused(KibMessage answer) {
        Tx tx = match(answer, answer.cookie(), KibType.PUT_REQ);
        if (tx != null) {
            if (answer.status() < 0) {
                tx.fail(answer.status(), HealthStatus.REMOTE_ERROR);
            }
            finishIfIdle(tx);
        }
    }

    /** The source of a PUT has written. */
    void stored(KibMessage answer) {
        Tx tx = match(answer, answer.cookie(), KibType.PUT_ACK);
        if (tx == null) {
            return;
        }
        LndMessage message = Objects.requireNonNull(tx.message());
        Transfer memory = Objects.requireNonNull(tx.memory());
        if (answer.status() != message.payloadLength()) {
            int status = answer.status() < 0 ? answer.status() : Errno.EPROTO.status();
            tx.fail(status, HealthStatus.REMOTE_ERROR);
        } else {
            memory.drain(message, answer.status());
        }
        finishIfIdle(tx);
    }

    /** Begins the answer to a PUT whose payload is wanted: memory, then PUT_ACK. */
    void fetch(Tx tx, int bytes) {
        tx.setDeadline(ni.now() + tx.limitNanos());
        tx.setWantsChunk(true);
        active.add(tx);
        MappedMemory mapped = card.regions().map(Objects.requireNonNull(tx.message()), bytes, conn.maxFragments());
        if (mapped != null) {
            beginFetch(tx, bytes, mapped);
        } else if (!card.sinks().take(tx, chunk -> beginFetch(tx, bytes, chunk))) {
            tx.setWantsChunk(false);
            credits.bufferFreed();
            giveUp(tx, KibType.PUT_NAK, Errno.ENOMEM);
        }
    }

    private void beginFetch(Tx tx, int bytes, Transfer memory) {
        tx.setMemory(memory);
        tx.setWantsChunk(false);
        RdmaDescriptor sink = new RdmaDescriptor();
        memory.describe(sink, bytes, true);
        tx.setSink(sink);
        queue(tx);
    }

    /** Tells whether a limit has passed. */
    boolean isLate(long now) {
        for (Iterable<Tx> each : List.of(answers, ready, unreserved, active)) {
            for (Tx tx : each) {
                if (tx.deadline() <= now) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Tells whether nothing is to be sent, on its way, or to be answered. */
    boolean isIdle() {
        return active.isEmpty() && answers.isEmpty() && ready.isEmpty() && unreserved.isEmpty();
    }

    /** Ends everything; returns the transmits, to be finished when the card is done with them. */
    List<Tx> takeAll() {
        Set<Tx> all = new LinkedHashSet<>(active);
        all.addAll(answers);
        all.addAll(ready);
        all.addAll(unreserved);
        for (Tx tx : all) {
            card.sources().forget(tx);
            card.sinks().forget(tx);
        }
        answers.clear();
        ready.clear();
        unreserved.clear();
        active.clear();
        awaited.clear();
        posted.clear();
        return new ArrayList<>(all);
    }
}
