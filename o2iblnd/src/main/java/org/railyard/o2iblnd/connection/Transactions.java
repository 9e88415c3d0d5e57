package org.railyard.o2iblnd.connection;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.o2iblnd.ni.NiContext;
import org.railyard.o2iblnd.rdma.RdmaChain;
import org.railyard.o2iblnd.transfer.Card;
import org.railyard.o2iblnd.transfer.ChunkShares;
import org.railyard.o2iblnd.transfer.MappedMemory;
import org.railyard.o2iblnd.transfer.MemoryTransfer;
import org.railyard.o2iblnd.transfer.Tx;
import org.railyard.o2iblnd.tune.QueueSizing;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.RdmaDescriptor;
import org.railyard.verbs.Qp;
import org.railyard.verbs.WorkChain;

/**
 * What the messages of a connection mean for each other: which one answers which, and the memory that is written
 * between them (spec 20 §13).
 */
final class Transactions {
    private final Connection conn;
    private final NiContext ni;
    private final Card card;
    private final ChunkShares shares;
    private final Qp qp;
    private final ConnectionSender sender;
    private final int gather;
    /** Most transactions of one side: it has no buffers for the ends of more. */
    private final int maxTransactions;

    /** Those whose answers are to come, in no order. */
    private final @Nullable Tx[] awaited;

    private int awaitedCount;
    private final WorkChain chain = new WorkChain();
    private final RdmaDescriptor source = new RdmaDescriptor();
    private int gets;
    private int puts;

    Transactions(
            Connection conn,
            NiContext ni,
            Card card,
            ChunkShares shares,
            Qp qp,
            ConnectionSender sender,
            QueueSizing sizing) {
        this.conn = conn;
        this.ni = ni;
        this.card = card;
        this.shares = shares;
        this.qp = qp;
        this.sender = sender;
        this.gather = sizing.gather();
        this.maxTransactions = sizing.askedQueueDepth();
        this.awaited = new @Nullable Tx[2 * maxTransactions];
    }

    /** A message is posted: notes what is to come of it. */
    void posted(Tx tx) {
        if (tx.type() == KibType.GET_DONE) {
            gets--;
        }
        if (tx.type().awaitsAnswer()) {
            tx.setWaiting(true);
            awaited[awaitedCount++] = tx;
        }
    }

    /** Appends what a message needs before it: the registration of memory, and RDMA writes. */
    void appendTransfer(Tx tx, int slot, WorkChain to) {
        RdmaDescriptor sink = tx.sink();
        MemoryTransfer memory = tx.memory();
        if (sink == null || memory == null || tx.completionStatus() < 0) {
            return;
        }
        boolean writes = tx.type() == KibType.PUT_DONE || tx.type() == KibType.GET_DONE;
        memory.prepare(to, slot, !writes);
        if (writes) {
            int bytes = tx.completionStatus();
            memory.describe(source, bytes, false);
            int status = RdmaChain.append(source, sink, bytes, gather, conn.maxFragments(), slot, to);
            if (status < 0) {
                if (status == Errno.EMSGSIZE.status()) {
                    conn.warn("fragments", RdmaChain.excess(source, sink, bytes, gather, conn.maxFragments()));
                }
                // Both the sink and the sender of the message are told.
                tx.fail(status, HealthStatus.LOCAL_ERROR);
                tx.setCompletionStatus(status);
            }
        }
    }

    private @Nullable Tx match(KibMessage answer, long cookie, KibType to) {
        for (int i = 0; i < awaitedCount; i++) {
            Tx tx = awaited[i];
            if (tx != null && tx.cookie() == cookie && tx.type() == to && tx.isWaiting()) {
                awaitedCount--;
                awaited[i] = awaited[awaitedCount];
                awaited[awaitedCount] = null;
                tx.setWaiting(false);
                return tx;
            }
        }
        conn.refuse("answers " + answer.type() + " " + cookie + ", which is not awaited");
        return null;
    }

    /** The sink of a PUT tells where to write. */
    void acknowledged(KibMessage answer) {
        Tx tx = match(answer, answer.cookie(), KibType.PUT_REQ);
        if (tx == null) {
            return;
        }
        LndMessage message = Objects.requireNonNull(tx.message());
        long wanted = answer.descriptor().totalBytes();
        if (wanted == 0 || wanted > message.payloadLength()) {
            // Who wants nothing says so by PUT_NAK.
            tx.setWaiting(true);
            conn.refuse("wants " + wanted + " bytes of a PUT of " + message.payloadLength());
            return;
        }
        tx.setSink(answer.descriptor());
        tx.setPeerCookie(answer.sinkCookie());
        tx.setCompletionStatus((int) wanted);
        writePayload(tx, message, KibType.PUT_DONE, (int) wanted);
    }

    /**
     * A GET of the peer came that says where to write: tells whether it may have one more. The answer follows, whatever
     * it is.
     */
    boolean mayAnswerGet() {
        return gets++ < maxTransactions;
    }

    /** Writes the REPLY to a GET of the peer to where it said. */
    void answer(Tx tx, LndMessage message) {
        int bytes = message.payloadLength();
        tx.setCompletionStatus(bytes);
        if (bytes > Objects.requireNonNull(tx.sink()).totalBytes()) {
            giveUp(tx, KibType.GET_DONE, Errno.EPROTO);
        } else if (bytes == 0) {
            tx.become(KibType.GET_DONE);
            sender.queue(tx);
        } else {
            sender.hold(tx);
            writePayload(tx, message, KibType.GET_DONE, bytes);
        }
    }

    /** Gets memory for a payload, and queues the writes with the message that ends the transaction. */
    private void writePayload(Tx tx, LndMessage message, KibType last, int bytes) {
        tx.setWantsChunk(true);
        tx.beginNext(ni.now());
        MappedMemory mapped = card.regions().map(message, bytes, conn.maxFragments(), qp);
        if (mapped != null && !fits(mapped, tx, bytes)) {
            card.regions().withdraw(mapped);
            mapped = null;
        }
        if (mapped != null) {
            beginWrite(tx, message, last, bytes, mapped);
        } else if (!card.sources().take(shares.sources(), tx, chunk -> beginWrite(tx, message, last, bytes, chunk))) {
            endForMemory(tx);
        }
    }

    /**
     * Tells whether the pieces of the source and those of the sink can be brought together in as many writes as were
     * agreed.
     */
    private boolean fits(MappedMemory mapped, Tx tx, int bytes) {
        mapped.describe(source, bytes, false);
        chain.clear();
        RdmaDescriptor sink = Objects.requireNonNull(tx.sink());
        int writes = RdmaChain.append(source, sink, bytes, gather, conn.maxFragments(), 0, chain);
        chain.clear();
        return writes >= 0;
    }

    private void beginWrite(Tx tx, LndMessage message, KibType last, int bytes, MemoryTransfer memory) {
        tx.setMemory(memory);
        tx.setWantsChunk(false);
        if (!memory.fill(message, bytes)) {
            giveUp(tx, last, Errno.EFAULT);
            return;
        }
        tx.become(last);
        sender.queueBegun(tx);
    }

    /** Ends a transaction with an error, which both the peer and the sender of the message are told. */
    private void giveUp(Tx tx, KibType last, Errno why) {
        tx.fail(why.status(), HealthStatus.LOCAL_ERROR);
        tx.setCompletionStatus(why.status());
        tx.become(last);
        sender.queue(tx);
    }

    /** The sink of a PUT wants nothing. */
    void refused(KibMessage answer) {
        Tx tx = match(answer, answer.cookie(), KibType.PUT_REQ);
        if (tx != null) {
            if (answer.status() < 0) {
                tx.fail(answer.status(), HealthStatus.REMOTE_ERROR);
            }
            sender.finishIfIdle(tx);
        }
    }

    /** The source of a PUT has written. */
    void stored(KibMessage answer) {
        Tx tx = match(answer, answer.cookie(), KibType.PUT_ACK);
        if (tx == null) {
            return;
        }
        fetchEnded();
        LndMessage message = Objects.requireNonNull(tx.message());
        MemoryTransfer memory = Objects.requireNonNull(tx.memory());
        if (answer.status() != message.payloadLength()) {
            int status = answer.status() < 0 ? answer.status() : Errno.EPROTO.status();
            tx.fail(status, HealthStatus.REMOTE_ERROR);
        } else if (!memory.drain(message, answer.status())) {
            tx.fail(Errno.EFAULT.status(), HealthStatus.LOCAL_ERROR);
        }
        sender.finishIfIdle(tx);
    }

    /** A transaction has a buffer for its answer: it may begin, a GET when there is memory for what it is to bring. */
    void admit(Tx tx) {
        LndMessage reply = tx.reply();
        if (reply == null) {
            sender.ready(tx);
            return;
        }
        tx.setQueued(false);
        tx.setWantsChunk(true);
        sender.hold(tx);
        int bytes = reply.payloadLength();
        MappedMemory mapped = card.regions().map(reply, bytes, conn.maxFragments(), qp);
        if (mapped != null) {
            beginGet(tx, bytes, mapped);
        } else if (!card.sinks().take(shares.sinks(), tx, chunk -> {
            beginGet(tx, bytes, chunk);
            sender.pump();
        })) {
            endForMemory(tx);
        }
    }

    private void beginGet(Tx tx, int bytes, MemoryTransfer memory) {
        prepareSink(tx, bytes, memory);
        sender.ready(tx);
    }

    /** The peer has written the answer to a GET, or has none. */
    void fetched(KibMessage answer) {
        Tx tx = match(answer, answer.cookie(), KibType.GET_REQ);
        if (tx == null) {
            return;
        }
        LndMessage reply = Objects.requireNonNull(tx.reply());
        int bytes = answer.status();
        if (bytes > reply.payloadLength()) {
            tx.setWaiting(true);
            conn.refuse("says that it wrote " + bytes + " bytes of a GET of " + reply.payloadLength());
            return;
        }
        if (bytes < 0) {
            tx.fail(bytes, HealthStatus.REMOTE_ERROR);
        } else {
            tx.setCompletionStatus(bytes);
            if (!Objects.requireNonNull(tx.memory()).drain(reply, bytes)) {
                tx.fail(Errno.EFAULT.status(), HealthStatus.LOCAL_ERROR);
            }
        }
        sender.finishIfIdle(tx);
    }

    /** A PUT of the peer came whose payload does not come with it: tells whether it may have one more. */
    boolean mayFetch() {
        return puts++ < maxTransactions;
    }

    /** A PUT of the peer has been dealt with. */
    void fetchEnded() {
        puts--;
    }

    /** Begins the answer to a PUT whose payload is wanted: memory, then PUT_ACK. */
    void fetch(Tx tx, int bytes) {
        tx.beginNext(ni.now());
        tx.setWantsChunk(true);
        sender.hold(tx);
        MappedMemory mapped = card.regions().map(Objects.requireNonNull(tx.message()), bytes, conn.maxFragments(), qp);
        if (mapped != null) {
            beginFetch(tx, bytes, mapped);
        } else if (!card.sinks().take(shares.sinks(), tx, chunk -> beginFetch(tx, bytes, chunk))) {
            endForMemory(tx);
        }
    }

    /** A transmit has waited for memory for as long as it may. */
    void endWait(Tx tx) {
        card.sources().forget(shares.sources(), tx);
        card.sinks().forget(shares.sinks(), tx);
        endForMemory(tx);
    }

    /** Ends a transmit for which there is no memory. */
    private void endForMemory(Tx tx) {
        tx.setWantsChunk(false);
        switch (tx.type()) {
            case GET_REQ -> {
                sender.unreserve();
                tx.fail(Errno.ENOMEM.status(), HealthStatus.LOCAL_ERROR);
                sender.finishIfIdle(tx);
            }
            case PUT_ACK -> {
                fetchEnded();
                sender.bufferFreed();
                giveUp(tx, KibType.PUT_NAK, Errno.ENOMEM);
            }
            case PUT_REQ -> giveUp(tx, KibType.PUT_DONE, Errno.ENOMEM);
            case GET_DONE -> giveUp(tx, KibType.GET_DONE, Errno.ENOMEM);
            default -> throw new IllegalStateException(tx + " waits for memory");
        }
    }

    private void beginFetch(Tx tx, int bytes, MemoryTransfer memory) {
        prepareSink(tx, bytes, memory);
        sender.queueBegun(tx);
    }

    private static void prepareSink(Tx tx, int bytes, MemoryTransfer memory) {
        tx.setMemory(memory);
        tx.setWantsChunk(false);
        tx.setSink(memory, bytes);
    }

    /** The connection ends: nothing is awaited any more. */
    void forget(Iterable<Tx> all) {
        for (Tx tx : all) {
            card.sources().forget(shares.sources(), tx);
            card.sinks().forget(shares.sinks(), tx);
            if (tx.type() == KibType.GET_REQ && tx.wantsChunk()) {
                // It has not begun: it may go another way.
                tx.setWantsChunk(false);
                tx.setQueued(true);
            }
        }
        Arrays.fill(awaited, null);
        awaitedCount = 0;
    }
}
