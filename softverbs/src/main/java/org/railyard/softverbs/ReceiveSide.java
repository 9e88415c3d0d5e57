package org.railyard.softverbs;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.Access;
import org.railyard.verbs.Completion.Operation;
import org.railyard.verbs.Qp;
import org.railyard.verbs.WorkStatus;
import org.railyard.verbs.card.Region;

/** The receiving half of a reliable connection: messages once and in order, into memory that they may write to. */
final class ReceiveSide {
    /** An acknowledgement with its headers. */
    private static final int ANSWER_BYTES = SoftSettings.PACKET_OVERHEAD + 4;

    private final SoftQp qp;
    private long expectedPsn;
    /** Whether the sender was told that one is missing; until that one comes, it is not told again. */
    private boolean complained;

    ReceiveSide(SoftQp qp) {
        this.qp = qp;
    }

    void begin(long firstPsn) {
        expectedPsn = firstPsn;
    }

    /** A segment came. */
    void arrive(Segment segment, SoftQp sender) {
        Peering with = qp.peering();
        boolean ready = qp.state() == Qp.State.READY_TO_SEND || qp.state() == Qp.State.READY_TO_RECEIVE;
        if (with == null
                || !ready
                || qp.device().isBroken()
                || with.remoteQpn() != sender.number()
                || with.remote().device() != sender.device()) {
            return;
        }
        if (segment.psn() < expectedPsn) {
            if (segment.wantsAnswer()) {
                answer(sender, with, Answer.ACK, expectedPsn - 1);
            }
        } else if (segment.psn() > expectedPsn) {
            if (!complained) {
                complained = true;
                answer(sender, with, Answer.SEQUENCE_ERROR, expectedPsn);
            }
        } else if (segment.request().operation() == Operation.SEND) {
            receive(segment, sender, with);
        } else {
            write(segment, sender, with);
        }
    }

    private void receive(Segment segment, SoftQp sender, Peering with) {
        SoftQp.Receive into = qp.receives().peek();
        if (into == null) {
            complained = true;
            answer(sender, with, Answer.RECEIVER_NOT_READY, segment.psn());
            return;
        }
        int bytes = Math.toIntExact(segment.request().bytes());
        boolean fits = bytes <= into.length();
        Region region = region(segment, into.key(), into.address(), Access.LOCAL_WRITE);
        if (!fits || bytes > 0 && region == null) {
            qp.receives().remove();
            WorkStatus status = fits ? WorkStatus.LOCAL_PROTECTION : WorkStatus.LOCAL_LENGTH;
            qp.cq().add(into.id(), status, Operation.RECEIVE, 0, qp.number());
            refuse(segment, sender, with, Answer.OPERATION_ERROR);
            return;
        }
        copy(segment, sender, region, into.address());
        if (segment.ends()) {
            qp.receives().remove();
        }
        take(segment, sender, with);
        if (segment.ends()) {
            qp.cq().add(into.id(), WorkStatus.SUCCESS, Operation.RECEIVE, bytes, qp.number());
        }
        qp.noticeArrival();
    }

    private void write(Segment segment, SoftQp sender, Peering with) {
        SendRequest message = segment.request();
        Region region = region(segment, message.key(), message.remoteAddress(), Access.REMOTE_WRITE);
        if (message.bytes() > 0 && region == null) {
            refuse(segment, sender, with, Answer.ACCESS_ERROR);
            return;
        }
        copy(segment, sender, region, message.remoteAddress());
        take(segment, sender, with);
        qp.noticeArrival();
    }

    /**
     * Returns the memory region with a key, null if the segment may not go there: the first one if all of the message
     * may not. Looked at for each segment, since the region may have been invalidated.
     */
    private @Nullable Region region(Segment segment, int key, long address, int access) {
        long bytes = segment.begins() ? segment.request().bytes() : segment.length();
        Region region = bytes == 0 ? null : qp.device().keys().find(key);
        return region != null && region.pd() == qp.pd() && region.allows(address + segment.offset(), bytes, access)
                ? region
                : null;
    }

    private void copy(Segment segment, SoftQp sender, @Nullable Region region, long address) {
        if (region != null && segment.length() > 0) {
            MemorySegment scratch = qp.fabric().scratch(segment.length());
            segment.request().gather(sender.pd(), segment.offset(), segment.length(), scratch);
            region.write(address + segment.offset(), segment.length(), scratch, 0);
        }
    }

    private void take(Segment segment, SoftQp sender, Peering with) {
        expectedPsn++;
        complained = false;
        qp.fabric().trace("arrival", with.own().toString(), qp.number(), segment.psn());
        if (segment.wantsAnswer()) {
            answer(sender, with, Answer.ACK, segment.psn());
        }
    }

    private void refuse(Segment segment, SoftQp sender, Peering with, Answer why) {
        answer(sender, with, why, segment.psn());
        qp.failByPeer();
    }

    private void answer(SoftQp sender, Peering with, Answer what, long psn) {
        PortPair back = qp.way();
        if (back != null) {
            SoftFabric fabric = qp.fabric();
            fabric.carrier()
                    .carry(new Shipment(
                            Kind.ACK,
                            back,
                            ANSWER_BYTES,
                            fabric.time().now(),
                            0,
                            fabric.faults().judge(Kind.ACK, with.own(), with.remote()),
                            Shipment.UNNOTICED,
                            () -> sender.sends().onAnswer(what, psn),
                            () -> fabric.trace("lost answer", with.own().toString(), qp.number(), psn)));
        }
    }
}
