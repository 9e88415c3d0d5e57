package org.railyard.o2iblnd.connection;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.wire.Wire;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.o2iblnd.ni.NiContext;
import org.railyard.o2iblnd.transfer.Payload;
import org.railyard.o2iblnd.transfer.Tx;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.o2iblnd.wire.Packing;
import org.railyard.o2iblnd.wire.RdmaDescriptor;

/** LNet headers of a connection on their way to the stack: one at a time, the next one when the stack has answered. */
final class Deliveries {
    private final Connection conn;
    private final RemotePeer peer;
    private final ConnectionSender sender;
    private final NiContext ni;
    private final Buffers buffers;
    /** Buffers whose messages wait, from the oldest on. */
    private final int[] slots;

    private final Reception reception;

    /** Of those that waited: what it says was read for another one since. */
    private final KibMessage waited = new KibMessage();

    /** The last one of several in a buffer. */
    private final LNetHeader packed = new LNetHeader();
    /** The buffer whose messages the stack is shown, where the next one begins, and where the last one ends. */
    private int packedSlot;

    private int packedAt;
    private int packedEnd;

    private @Nullable Reception open;
    private int oldest;
    private int count;
    private boolean running;
    private @Nullable CloseReason closed;

    Deliveries(Connection conn, RemotePeer peer, ConnectionSender sender, NiContext ni, Buffers buffers) {
        this.conn = conn;
        this.peer = peer;
        this.sender = sender;
        this.ni = ni;
        this.buffers = buffers;
        this.slots = new int[buffers.count()];
        this.reception = new Reception(this, ni);
    }

    /**
     * A message came that the stack is to see.
     *
     * @param slot buffer that it is in
     * @param read what it says; valid during the call
     */
    void add(int slot, KibMessage read) {
        if (running || open != null || closed != null || count > 0) {
            slots[(oldest + count++) % slots.length] = slot;
            run();
            return;
        }
        running = true;
        try {
            deliver(slot, read);
        } finally {
            running = false;
        }
        run();
    }

    /** Tells whether no answer of the stack is outstanding. */
    boolean isIdle() {
        return open == null && count == 0 && !hasPacked();
    }

    private void run() {
        if (running) {
            return;
        }
        running = true;
        try {
            while (open == null && (hasPacked() || count > 0)) {
                if (hasPacked()) {
                    deliverPacked();
                    continue;
                }
                int slot = slots[oldest];
                oldest = (oldest + 1) % slots.length;
                count--;
                deliver(slot, readAgain(slot));
            }
        } finally {
            running = false;
        }
    }

    private KibMessage readAgain(int slot) {
        try {
            waited.read(buffers.memory(), buffers.offset(slot), Kib.MESSAGE_BYTES);
        } catch (WireFormatException e) {
            throw new IllegalStateException("a message that was read can not be read again", e);
        }
        return waited;
    }

    private void deliver(int slot, KibMessage message) {
        boolean immediate = message.type() == KibType.IMMEDIATE;
        if (closed != null && !immediate) {
            // It can not be answered any more.
            return;
        }
        int payload = message.lnet().payloadLength();
        if (immediate ? payload > message.immediateBytes() : payload > Wire.MTU) {
            conn.refuse("sends " + message.type() + " for a payload of " + payload + " bytes");
            return;
        }
        boolean get = message.type() == KibType.GET_REQ;
        if (get
                && (message.lnet().type() != MessageType.GET
                        || !sender.transactions().mayAnswerGet())) {
            conn.refuse("sends a GET_REQ that is no GET, or one too many");
            return;
        }
        if (message.type() == KibType.PUT_REQ && !sender.transactions().mayFetch()) {
            conn.refuse("sends a PUT_REQ before it has ended earlier ones");
            return;
        }
        if (immediate && conn.unpacks()) {
            packedSlot = slot;
            packedAt = Packing.align(KibMessage.PAYLOAD_OFFSET + payload);
            packedEnd = message.header().bytes();
        }
        reception.begin(slot, message);
        show(message.lnet());
    }

    private boolean hasPacked() {
        return packedAt + LNetHeader.NID4_BYTES <= packedEnd;
    }

    /** The next one of several in a buffer (spec 20 §23). */
    private void deliverPacked() {
        int payloadAt = packedAt + LNetHeader.NID4_BYTES;
        try {
            packed.read(buffers.memory(), buffers.offset(packedSlot) + packedAt, false);
            if (packed.payloadLength() < 0 || packed.payloadLength() > packedEnd - payloadAt) {
                throw new WireFormatException("payload of " + Integer.toUnsignedString(packed.payloadLength())
                        + " bytes, of which " + (packedEnd - payloadAt) + " are there");
            }
        } catch (WireFormatException e) {
            packedEnd = 0;
            conn.refuse("packs a message that can not be read: " + e.getMessage());
            return;
        }
        packedAt = Packing.align(payloadAt + packed.payloadLength());
        reception.beginPacked(packedSlot, payloadAt);
        show(packed);
    }

    private void show(LNetHeader header) {
        open = reception;
        int status = ni.parse(header, peer.nid(), ProcessId.LUSTRE_PID, reception);
        if (status < 0 && open == reception) {
            open = null;
            packedEnd = 0;
            peer.closeAllRoutes(CloseReason.PROTOCOL);
        }
    }

    /** The stack has answered. */
    void answered(@Nullable LndMessage into, int bytes) {
        CloseReason why = closed;
        open = null;
        if (why != null && reception.type() != KibType.IMMEDIATE) {
            if (into != null) {
                ni.complete(into, why.errno().status(), HealthStatus.LOCAL_ABORTED);
            }
            run();
            return;
        }
        int slot = reception.slot();
        RdmaDescriptor sink = reception.sink();
        if (sink != null) {
            conn.repost(slot, true);
            answerGet(into, sink);
        } else if (reception.type() == KibType.IMMEDIATE) {
            boolean stored = into == null
                    || Payload.scatter(
                            buffers.bytes(), (int) buffers.offset(slot) + reception.payloadAt(), into, bytes);
            if (!hasPacked()) {
                conn.repost(slot, true);
            }
            if (into != null) {
                ni.complete(
                        into, stored ? 0 : Errno.EFAULT.status(), stored ? HealthStatus.OK : HealthStatus.LOCAL_ERROR);
            }
        } else if (into == null || bytes == 0) {
            Tx tx = ni.transmits().take(KibType.PUT_NAK, null, false, ni.timeoutNanos());
            tx.setPeerCookie(reception.cookie());
            conn.repost(slot, true);
            sender.transactions().fetchEnded();
            sender.queue(tx);
            if (into != null) {
                ni.complete(into, 0, HealthStatus.OK);
            }
        } else {
            Tx tx = ni.transmits().take(KibType.PUT_ACK, into, true, ni.limitOf(into));
            tx.setCookie(ni.nextCookie());
            tx.setPeerCookie(reception.cookie());
            // The buffer is now for PUT_DONE: no credit for it yet.
            conn.repost(slot, false);
            sender.transactions().fetch(tx, bytes);
        }
        run();
        conn.pump();
    }

    private void answerGet(@Nullable LndMessage reply, RdmaDescriptor sink) {
        long limit = reply == null ? ni.timeoutNanos() : ni.limitOf(reply);
        Tx tx = ni.transmits().take(KibType.GET_DONE, reply, false, limit);
        tx.setPeerCookie(reception.cookie());
        tx.setSink(sink);
        if (reply == null) {
            tx.setCompletionStatus(Errno.ENODATA.status());
            sender.queue(tx);
        } else {
            sender.transactions().answer(tx, reply);
        }
    }

    /**
     * The connection ends: what the stack answers from now on comes too late, but for messages that are here whole. To
     * their sender these are delivered.
     */
    void close(CloseReason reason) {
        closed = reason;
        if (reason == CloseReason.SHUTDOWN) {
            // The NI takes nothing any more.
            count = 0;
            packedEnd = 0;
        }
    }
}
