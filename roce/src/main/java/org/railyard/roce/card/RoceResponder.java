package org.railyard.roce.card;

import org.jspecify.annotations.Nullable;
import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.api.RoceCounters.Counter;
import org.railyard.roce.loop.ProviderThread;
import org.railyard.roce.loop.Timers;
import org.railyard.roce.net.Datagrams;
import org.railyard.roce.wire.Aeth;
import org.railyard.roce.wire.Frame;
import org.railyard.roce.wire.Opcode;
import org.railyard.roce.wire.Psn;
import org.railyard.verbs.Access;
import org.railyard.verbs.WorkStatus;
import org.railyard.verbs.card.ReceiveQueue;
import org.railyard.verbs.card.memory.Region;

/**
 * The receiving half of a reliable connection: packets once and in order, each straight into the memory that it is for.
 * Acknowledgements are sent when a turn of the thread ends, one for all packets that came in it, and before a NAK for a
 * packet that is missing (spec 23 §5.2).
 */
final class RoceResponder {
    /** What a sender is asked to wait when no receive is posted: code 12, 640 µs. */
    private static final int RNR_CODE = 12;

    /**
     * So many packets are taken without an answer, even if the sender asks for none: it may have a window and ask only
     * at the end of a message.
     */
    private static final int MOST_UNASKED = 48;

    /** So many packets after a loss each one that asks for it is acknowledged by itself. */
    private static final int LOSS_PACKETS = 256;

    /**
     * So many bytes of messages that arrived together are acknowledged before they are handled: they are work for a
     * while.
     */
    private static final int EARLY_BYTES = 8 << 10;

    /**
     * So long after the last packet of a sender that may have lost an answer, or the end of a message, it is told again
     * what is here, ns; then after twice that time.
     */
    private static final long QUIET_NANOS = 10_000_000L;

    /** How often: each NAK costs the sender one of its tries. */
    private static final int MOST_REMINDERS = 2;

    private enum Under {
        NOTHING,
        SEND,
        WRITE
    }

    private final RoceQp qp;
    private final ProviderThread engine;
    private final RocePort port;
    private final RoceCounters counters;
    private final ReceiveQueue receives;
    private final Runnable sendPending = this::sendPendingAck;
    private @Nullable RocePeer with;
    private int expectedPsn;
    private int completed;
    private boolean ackPending;
    private int unasked;
    /** Bytes of whole messages, without writes, that are not acknowledged. */
    private int toHandle;

    private int sinceLoss = LOSS_PACKETS;

    private final Timers.Timer quietTimer;
    private long lastArrival;
    private int reminders;

    /** The NAK that ended the connection; 0 if none did. */
    private int fatalNak;

    /** Whether the sender was told that a packet is missing; until that one comes, it is not told again. */
    private boolean nakSent;

    /** The message of which packets are to come. */
    private Under underWay = Under.NOTHING;

    private long writeAddress;
    private int writeKey;
    private long left;
    private int received;

    RoceResponder(RoceQp qp, RocePort port, CardContext context) {
        this.qp = qp;
        this.engine = context.engine();
        this.port = port;
        this.counters = context.counters();
        this.receives = qp.receives();
        this.quietTimer = new Timers.Timer(qp.guarded(this::onQuiet));
    }

    void begin(RocePeer peer) {
        with = peer;
        expectedPsn = peer.receivePsn();
    }

    /** A packet of the peer came. */
    void arrived(Frame packet) {
        RocePeer peer = with;
        if (peer == null || !qp.isReady()) {
            counters.add(Counter.UNKNOWN_QP);
            repeatFatalNak(packet);
            return;
        }
        int ahead = Psn.distance(expectedPsn, packet.psn());
        if (ahead < 0) {
            counters.add(Counter.DUPLICATES);
            sinceLoss = 0;
            setAckPending();
        } else if (ahead > 0) {
            counters.add(Counter.OUT_OF_SEQUENCE);
            sinceLoss = 0;
            if (!nakSent) {
                nakSent = true;
                // The kernel's rdma_rxe, once it retransmits, ignores NAKs until it gets an ACK.
                acknowledge();
                refuse(Aeth.SEQUENCE_ERROR);
            }
        } else if (fits(packet, peer.mtu())) {
            take(packet);
        } else {
            counters.add(Counter.INVALID_REQUESTS);
            fatal(Aeth.INVALID_REQUEST);
        }
        if (sinceLoss < LOSS_PACKETS && peer.room() == 0 && qp.isReady()) {
            watchForQuiet();
        }
    }

    /**
     * After a loss, waits for the packets to stop. A peer of the same kind sends again soon when it hears nothing; the
     * kernel's rdma_rxe does so after 2.1 s.
     */
    private void watchForQuiet() {
        lastArrival = engine.now();
        reminders = 0;
        if (!quietTimer.isSet()) {
            engine.timers().set(quietTimer, lastArrival + QUIET_NANOS);
        }
    }

    /** Repeats the answer, which may have been lost, and asks for the rest of a message. */
    private void onQuiet() {
        if (with == null || !qp.isReady()) {
            return;
        }
        if (quietUntil() - engine.now() <= 0) {
            reminders++;
            acknowledge();
            if (nakSent || underWay != Under.NOTHING) {
                nakSent = true;
                refuse(Aeth.SEQUENCE_ERROR);
            }
        }
        if (reminders < MOST_REMINDERS) {
            engine.timers().set(quietTimer, quietUntil());
        }
    }

    private long quietUntil() {
        return lastArrival + (QUIET_NANOS << reminders);
    }

    /**
     * Tells whether a packet may come at this place, with this length. No request that is not carried out may: to a
     * sender that is not told it looks as if its packets were lost.
     */
    private boolean fits(Frame packet, int mtu) {
        Opcode opcode = packet.opcode();
        Under wanted = opcode.begins() ? Under.NOTHING : opcode.isWrite() ? Under.WRITE : Under.SEND;
        int length = packet.payloadLength();
        boolean full = opcode.ends() ? length <= mtu : length == mtu;
        boolean notEmpty = length > 0 || opcode.begins();
        return opcode.isCarriedOut() && underWay == wanted && full && notEmpty;
    }

    private void take(Frame packet) {
        boolean good = packet.opcode().isWrite() ? write(packet) : receive(packet);
        if (!good) {
            return;
        }
        expectedPsn = Psn.plus(expectedPsn, 1);
        // The kernel's rdma_rxe ignores further NAKs until its retransmission is acknowledged.
        boolean repaired = nakSent;
        nakSent = false;
        if (packet.opcode().ends()) {
            completed = Psn.plus(completed, 1);
        }
        if (packet.wantsAck() && sinceLoss < LOSS_PACKETS) {
            // One for all packets of a turn would be enough, and it may get lost as well.
            acknowledge();
        } else if (repaired || packet.wantsAck() || ++unasked >= MOST_UNASKED) {
            setAckPending();
        }
        if (ackPending && toHandle >= EARLY_BYTES) {
            engine.beforeTasks();
        }
        sinceLoss = Math.min(LOSS_PACKETS, sinceLoss + 1);
        qp.noticeArrival();
    }

    private boolean write(Frame packet) {
        if (packet.opcode().begins()) {
            writeAddress = packet.remoteAddress();
            writeKey = packet.remoteKey();
            left = packet.writeLength();
            if (left > 0 && writable(left) == null) {
                counters.add(Counter.ACCESS_ERRORS);
                fatal(Aeth.ACCESS_ERROR);
                return false;
            }
        }
        int length = packet.payloadLength();
        boolean ends = packet.opcode().ends();
        if (ends ? length != left : length >= left) {
            counters.add(Counter.INVALID_REQUESTS);
            fatal(Aeth.INVALID_REQUEST);
            return false;
        }
        if (length > 0) {
            // Looked at again: it may have been invalidated between two packets.
            Region region = writable(length);
            if (region == null) {
                counters.add(Counter.ACCESS_ERRORS);
                fatal(Aeth.ACCESS_ERROR);
                return false;
            }
            region.write(writeAddress, length, packet.memory(), packet.payloadOffset());
        }
        writeAddress += length;
        left -= length;
        underWay = ends ? Under.NOTHING : Under.WRITE;
        return true;
    }

    private @Nullable Region writable(long length) {
        return qp.pd().region(writeKey, writeAddress, length, Access.REMOTE_WRITE);
    }

    private boolean receive(Frame packet) {
        if (packet.opcode().begins()) {
            if (receives.isEmpty()) {
                nakSent = true;
                refuse(Aeth.RECEIVER_NOT_READY | RNR_CODE);
                return false;
            }
            received = 0;
        }
        int length = packet.payloadLength();
        long address = receives.address() + received;
        if (received + length > receives.length()) {
            counters.add(Counter.INVALID_REQUESTS);
            return failReceive(WorkStatus.LOCAL_LENGTH, Aeth.INVALID_REQUEST);
        }
        if (length > 0) {
            Region region = qp.pd().region(receives.key(), address, length, Access.LOCAL_WRITE);
            if (region == null) {
                return failReceive(WorkStatus.LOCAL_PROTECTION, Aeth.OPERATION_ERROR);
            }
            region.write(address, length, packet.memory(), packet.payloadOffset());
        }
        received += length;
        underWay = Under.SEND;
        if (packet.opcode().ends()) {
            underWay = Under.NOTHING;
            toHandle += received;
            receives.complete(WorkStatus.SUCCESS, received);
        }
        return true;
    }

    private boolean failReceive(WorkStatus status, int syndrome) {
        receives.complete(status, 0);
        fatal(syndrome);
        return false;
    }

    /** The packet that ended the connection came again: maybe the answer to it was lost. */
    private void repeatFatalNak(Frame packet) {
        if (fatalNak != 0 && packet.psn() == expectedPsn) {
            refuse(fatalNak);
        }
    }

    /** The peer did what can not be: it is told, and the connection is over. */
    private void fatal(int syndrome) {
        fatalNak = syndrome;
        // That says of all before it that it arrived.
        ackPending = false;
        refuse(syndrome);
        qp.failByPeer();
    }

    private void setAckPending() {
        if (!ackPending) {
            ackPending = true;
            engine.atEndOfTurn(sendPending);
        }
    }

    /** Sends the acknowledgement that is due, unless it went out before a NAK. */
    private void sendPendingAck() {
        if (ackPending) {
            acknowledge();
        }
    }

    /** Acknowledges all that arrived in order. */
    private void acknowledge() {
        ackPending = false;
        unasked = 0;
        toHandle = 0;
        answer(Aeth.ACK, Psn.plus(expectedPsn, -1));
    }

    /** The queue pair ends: what arrived in this turn is acknowledged now, as its sender will hear nothing more. */
    void settle() {
        sendPendingAck();
    }

    private void refuse(int syndrome) {
        counters.add(Counter.NAKS_SENT);
        answer(syndrome, expectedPsn);
    }

    private void answer(int syndrome, int psn) {
        RocePeer peer = with;
        if (peer != null) {
            port.outgoing()
                    .begin(Opcode.ACKNOWLEDGE, peer.remoteQpn(), false, false, psn)
                    .aeth(syndrome, completed)
                    .payload(0);
            // One that is lost is asked for again.
            port.send(peer.route(), Datagrams.Unsent.IGNORED, psn);
        }
    }

    /** Answers nothing any more. */
    void stop() {
        with = null;
        engine.timers().cancel(quietTimer);
    }
}
