package org.railyard.o2iblnd.connection;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.WireFormatException;
import org.railyard.o2iblnd.ni.NiContext;
import org.railyard.o2iblnd.transfer.Card;
import org.railyard.o2iblnd.transfer.Tx;
import org.railyard.o2iblnd.tune.EffectiveTunables;
import org.railyard.o2iblnd.tune.QueueSizing;
import org.railyard.o2iblnd.wire.ConnectionParameters;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibHeader;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.Packing;
import org.railyard.verbs.CmId;
import org.railyard.verbs.Completion;
import org.railyard.verbs.Cq;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.WorkStatus;

/**
 * One connection with a peer, to be or in being (spec 20 §2.4, §4, §13). Messages of one connection are handled
 * strictly in their order.
 *
 * <pre>
 * State        may become   when
 * CONNECTING   ESTABLISHED  the connection manager says so, and both sides agree on limits
 * CONNECTING   CLOSED       the attempt failed, the peer went away, the NI stops
 * ESTABLISHED  CLOSED       for a {@link CloseReason}
 * </pre>
 */
public final class IbConn implements Connection {
    private static final long SECOND = 1_000_000_000L;
    private static final int BATCH = 16;

    /** Where it stands. */
    public enum State {
        CONNECTING,
        ESTABLISHED,
        CLOSED;

        boolean mayBecome(State next) {
            return next.ordinal() > ordinal();
        }
    }

    private record Early(int slot, int bytes) {}

    private final ConnectionOwner peer;
    private final NiContext ni;
    private final Card card;
    private final CmId id;
    private final int version;
    private final EffectiveTunables tunables;
    private final QueueSizing sizing;
    private final Buffers buffers;
    private final Cq cq;
    private final ConnectionSender sender;
    private final Deliveries deliveries;
    private final KibMessage incoming = new KibMessage();
    private final Completion[] batch = Completion.batch(BATCH);
    private int batchNext;
    private int batchEnd;
    /** What came before it was up, in order, and is not handled yet. */
    private final ArrayDeque<Early> early = new ArrayDeque<>();

    private State state = State.CONNECTING;
    private int maxFragments;
    private @Nullable ConnectionCredits credits;
    private long lastActivity;

    /** Whether what there is to send is looked at soon in any case. */
    private boolean pumpsLater;

    private final Runnable pumpNow = this::pumpNow;
    private boolean pumpsSoon;

    /** Whether the peer was told that this node knows of several messages in one, and whether it does. */
    private boolean unpacks;

    private boolean packs;

    /**
     * Makes queues and posts all receives.
     *
     * @param card the device that {@code id} is bound to
     * @param asked what was asked for
     * @param version of the protocol, {@link Kib#V1} or {@link Kib#V2}
     * @throws VerbsException if the device can not give that much
     */
    public IbConn(ConnectionOwner peer, NiContext ni, Card card, CmId id, ConnectionParameters asked, int version) {
        this.peer = peer;
        this.ni = ni;
        this.card = card;
        this.id = id;
        this.version = version;
        this.tunables = ni.tunables(version);
        this.lastActivity = ni.now();
        this.maxFragments = asked.maxFragments();
        QueueMaker maker = QueueMaker.make(ni, tunables, card, id, asked, this::onCompletions);
        this.sizing = maker.sizing();
        this.cq = maker.cq();
        this.buffers = maker.buffers(card.pd(), tunables);
        this.sender = new ConnectionSender(this, peer, ni, card, buffers, sizing);
        this.deliveries = new Deliveries(this, peer, sender, ni, buffers);
        try {
            for (int slot = 0; slot < sizing.receives(); slot++) {
                buffers.postReceive(slot);
            }
            cq.arm();
        } catch (VerbsException e) {
            cq.close();
            buffers.close();
            throw e;
        }
    }

    /** Returns the identifier of the connection manager. */
    public CmId id() {
        return id;
    }

    /** Returns the state. */
    public State state() {
        return state;
    }

    @Override
    public boolean isEstablished() {
        return state == State.ESTABLISHED;
    }

    @Override
    public int version() {
        return version;
    }

    /** Returns the number of the queue pair, 24 bits. */
    public int qpNumber() {
        return buffers.qp().number();
    }

    /** Returns what it is able to do, to be told to the peer. */
    public ConnectionParameters parameters() {
        return ConnectionParameters.of(sizing.queueDepth(), maxFragments);
    }

    /** Returns what both sides agreed on; before that, what this one is able to do. */
    public ConnectionParameters agreed() {
        ConnectionCredits made = credits;
        return made == null ? parameters() : ConnectionParameters.of(made.queueDepth(), maxFragments);
    }

    @Override
    public int maxFragments() {
        return maxFragments;
    }

    /** The connection is up: what waited goes out, what came early is handled. */
    public void established(ConnectionParameters agreed) {
        maxFragments = agreed.maxFragments();
        ConnectionCredits made = new ConnectionCredits(
                agreed.queueDepth(),
                tunables.concurrentSends(),
                tunables.returnMark(agreed.queueDepth()),
                version == Kib.V1);
        credits = made;
        become(State.ESTABLISHED);
        sender.begin(made);
        peer.established(this);
        while (isEstablished() && !early.isEmpty()) {
            Early next = early.remove();
            receive(next.slot, next.bytes);
        }
        sender.pump();
    }

    /** Several messages in one may come from now on: the peer is told that this node knows that. */
    public void unpack() {
        unpacks = true;
    }

    /** The peer, which accepted the connection, knows of several messages in one: it is told that this node does. */
    public void packAndTell() {
        if (isEstablished()) {
            unpacks = true;
            packs = true;
            sender.greet();
        }
    }

    @Override
    public boolean packs() {
        return packs;
    }

    @Override
    public boolean unpacks() {
        return unpacks;
    }

    /** The only place where the state changes. */
    private void become(State next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException(
                    "connection with " + peer + " is " + state + ", which can not become " + next);
        }
        state = next;
    }

    /** Gives a transmit to the connection. */
    public void queue(Tx tx) {
        sender.queue(tx);
    }

    private void onCompletions(Cq from) {
        cq.arm();
        ni.collect();
        pumpsLater = true;
        try {
            while (state != State.CLOSED && poll()) {
                while (state != State.CLOSED && batchNext < batchEnd) {
                    handleSafely(batch[batchNext++]);
                    ni.tellIfMany();
                }
            }
        } finally {
            pumpsLater = false;
            ni.tellCollected();
        }
        if (isEstablished()) {
            sender.pump();
        }
    }

    private boolean poll() {
        batchNext = 0;
        batchEnd = cq.poll(batch);
        return batchEnd > 0;
    }

    /** Handles one of several completions; what it fails over ends the connection, so that nothing waits for ever. */
    private void handleSafely(Completion completion) {
        try {
            completed(completion);
        } catch (RuntimeException e) {
            ni.warn("failure", peer + ": " + completion + " could not be handled, the connection is closed: " + e);
            close(CloseReason.BROKEN);
        }
    }

    private void completed(Completion completion) {
        if (!completion.isSuccess()) {
            recall(completion);
            // Before it is up, the connection manager tells what happened.
            if (isEstablished()) {
                if (completion.status() != WorkStatus.FLUSHED) {
                    // Otherwise it only follows from what is told elsewhere: the peer has left, or the queue pair
                    // broke.
                    ni.warn("completion " + peer, peer + ": " + completion + "; the connection is closed");
                }
                close(CloseReason.BROKEN);
            }
        } else if (Buffers.isReceive(completion.id())) {
            int slot = Buffers.slot(completion.id());
            if (state == State.CONNECTING) {
                early.add(new Early(slot, completion.bytes()));
            } else {
                receive(slot, completion.bytes());
            }
        } else {
            sender.sent(Buffers.slot(completion.id()));
        }
    }

    private void receive(int slot, int bytes) {
        if (!read(slot, bytes)) {
            return;
        }
        ConnectionCredits counters = credits;
        if (counters == null || !counters.returned(incoming.header().credits())) {
            refuse("returns more credits than it has");
            return;
        }
        handle(slot, counters);
    }

    /** Reads a message; one that is not of this connection ends it: false then. */
    private boolean read(int slot, int bytes) {
        try {
            incoming.read(buffers.memory(), buffers.offset(slot), bytes);
            incoming.verify(buffers.memory(), buffers.offset(slot));
        } catch (WireFormatException e) {
            ni.warn("unreadable", peer + ": " + e.getMessage() + "; the connection is closed");
            close(CloseReason.PROTOCOL);
            return false;
        }
        KibHeader header = incoming.header();
        if (header.sourceNid() != peer.nid4()
                || header.destinationNid() != ni.nid4()
                || header.sourceStamp() != peer.stamp()
                || header.destinationStamp() != ni.stamp()) {
            ni.warn("stale", peer + ": a message from or for another NI; the connection is closed");
            close(CloseReason.STALE);
            return false;
        }
        return true;
    }

    private void handle(int slot, ConnectionCredits counters) {
        if (incoming.type() != KibType.NOOP) {
            noteActivity(ni.now());
        }
        switch (incoming.type()) {
            case NOOP -> {
                packs |= unpacks && isGreeting(slot);
                repost(slot, counters.noopsTakeCredits());
            }
            case IMMEDIATE, PUT_REQ, GET_REQ -> deliveries.add(slot, incoming);
            case PUT_ACK -> {
                counters.unreserve();
                repost(slot, false);
                sender.transactions().acknowledged(incoming);
            }
            case PUT_NAK -> {
                counters.unreserve();
                repost(slot, false);
                sender.transactions().refused(incoming);
            }
            case PUT_DONE -> {
                repost(slot, true);
                sender.transactions().stored(incoming);
            }
            case GET_DONE -> {
                counters.unreserve();
                repost(slot, false);
                sender.transactions().fetched(incoming);
            }
            case CONNREQ, CONNACK -> refuse("sends " + incoming.type() + " without a request");
        }
    }

    private boolean isGreeting(int slot) {
        return Packing.isInNoop(
                buffers.memory(), buffers.offset(slot), incoming.header().bytes());
    }

    @Override
    public void warn(String topic, String what) {
        ni.warn(topic, peer + ": " + what);
    }

    @Override
    public void refuse(String what) {
        ni.warn("protocol", peer + " " + what + "; the connection is closed");
        close(CloseReason.PROTOCOL);
    }

    @Override
    public void repost(int slot, boolean withCredit) {
        if (state == State.CLOSED) {
            return;
        }
        ConnectionCredits counters = credits;
        if (withCredit && counters != null) {
            counters.bufferFreed();
        }
        buffers.postReceive(slot);
    }

    @Override
    public void noteActivity(long now) {
        lastActivity = now;
    }

    @Override
    public void pump() {
        if (!pumpsLater) {
            sender.pump();
        }
    }

    @Override
    public void pumpSoon() {
        if (!pumpsLater && !pumpsSoon) {
            pumpsSoon = true;
            ni.loop().execute(pumpNow);
        }
    }

    private void pumpNow() {
        pumpsSoon = false;
        pump();
    }

    /** Tells whether nothing is under way on it, in either direction. */
    public boolean isIdle() {
        return sender.isIdle() && deliveries.isIdle();
    }

    /** Ends what has passed its limit. */
    public void check(long now) {
        if (isEstablished()) {
            sender.endLateWaits(now);
        }
        if (isEstablished() && sender.isLate(now)) {
            ni.warn(
                    "late " + peer,
                    peer + " did not answer in time, which is that of the message and at most "
                            + ni.timeoutNanos() / SECOND + " s (timeout); the connection is closed");
            close(CloseReason.TIMEOUT);
        } else if (isEstablished() && isIdle() && now - lastActivity >= ni.idleNanos()) {
            close(CloseReason.IDLE);
        } else if (isEstablished()) {
            sender.pump();
        }
    }

    private void recall(Completion completion) {
        if (completion.isUndelivered()) {
            sender.recall(Buffers.slot(completion.id()));
        }
    }

    /**
     * What is posted, and certainly does not leave the card any more, may go another way (spec 21 cb-067).
     *
     * @param receives whether messages count that nobody has looked at yet
     */
    private void recallPosted(boolean receives) {
        buffers.qp().modifyToError();
        while (receives && !early.isEmpty()) {
            Early next = early.remove();
            settleReceived(next.slot, next.bytes);
        }
        do {
            while (batchNext < batchEnd) {
                settle(batch[batchNext++], receives);
            }
        } while (poll());
    }

    /** A message that has arrived is done, whatever has become of the connection since: at both ends. */
    private void settle(Completion completion, boolean receives) {
        int slot = Buffers.slot(completion.id());
        if (!completion.isSuccess()) {
            recall(completion);
        } else if (!Buffers.isReceive(completion.id())) {
            sender.sent(slot);
        } else if (receives) {
            settleReceived(slot, completion.bytes());
        }
    }

    private void settleReceived(int slot, int bytes) {
        if (read(slot, bytes)) {
            handleLast(slot);
        }
    }

    /** Nothing can be answered any more: of use is what ends a transaction, and what comes whole. */
    private void handleLast(int slot) {
        switch (incoming.type()) {
            case IMMEDIATE -> deliveries.add(slot, incoming);
            case PUT_NAK -> sender.transactions().refused(incoming);
            case PUT_DONE -> sender.transactions().stored(incoming);
            case GET_DONE -> sender.transactions().fetched(incoming);
            case NOOP, PUT_REQ, PUT_ACK, GET_REQ, CONNREQ, CONNACK -> {
                // The peer hears of the end as well.
            }
        }
    }

    @Override
    public void close(CloseReason reason) {
        if (state == State.CLOSED) {
            return;
        }
        boolean wasUp = isEstablished();
        become(State.CLOSED);
        deliveries.close(reason);
        try {
            recallPosted(reason.keepsArrived());
        } catch (VerbsException e) {
            // A card that was taken away: messages end all the same, and nothing is kept.
            ni.warn("recall " + peer, peer + ": what was posted can not be recalled: " + e.getMessage());
        }
        boolean orderly = reason == CloseReason.IDLE || reason == CloseReason.PEER_CLOSED && wasUp && isIdle();
        List<Tx> left = sender.takeAll();
        id.disconnect();
        peer.disconnected(this);
        // Behind this the card does not touch memory any more.
        id.close();
        cq.close();
        buffers.close();
        peer.closed(this, reason, orderly);
        for (Tx tx : left) {
            card.withdraw(tx);
            if (!peer.move(tx)) {
                reason.apply(tx);
                card.giveBack(tx);
                ni.finish(tx);
            }
        }
    }
}
