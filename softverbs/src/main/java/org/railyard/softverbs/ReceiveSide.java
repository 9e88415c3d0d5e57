package org.railyard.softverbs;

import java.lang.foreign.MemorySegment;
import org.railyard.verbs.Access;
import org.railyard.verbs.Completion.Operation;
import org.railyard.verbs.Qp;
import org.railyard.verbs.WorkStatus;
import org.railyard.verbs.card.Region;

/** The receiving half of a reliable connection: messages once and in order, into memory that they may write to. */
final class ReceiveSide {
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

    /** A message came. */
    void arrive(SendRequest message, SoftQp sender) {
        Peering with = qp.peering();
        boolean ready = qp.state() == Qp.State.READY_TO_SEND || qp.state() == Qp.State.READY_TO_RECEIVE;
        if (with == null
                || !ready
                || qp.device().isBroken()
                || with.remoteQpn() != sender.number()
                || with.remote().device() != sender.device()) {
            return;
        }
        if (message.psn() < expectedPsn) {
            answer(sender, with, Answer.ACK, expectedPsn - 1);
        } else if (message.psn() > expectedPsn) {
            if (!complained) {
                complained = true;
                answer(sender, with, Answer.SEQUENCE_ERROR, expectedPsn);
            }
        } else if (message.operation() == Operation.SEND) {
            receive(message, sender, with);
        } else {
            write(message, sender, with);
        }
    }

    private void receive(SendRequest message, SoftQp sender, Peering with) {
        SoftQp.Receive into = qp.receives().peek();
        if (into == null) {
            complained = true;
            answer(sender, with, Answer.RECEIVER_NOT_READY, message.psn());
            return;
        }
        int bytes = Math.toIntExact(message.bytes());
        Region region = qp.device().keys().find(into.key());
        boolean allowed = bytes == 0
                || region != null && region.pd() == qp.pd() && region.allows(into.address(), bytes, Access.LOCAL_WRITE);
        qp.receives().remove();
        if (bytes > into.length() || !allowed) {
            WorkStatus status = allowed ? WorkStatus.LOCAL_LENGTH : WorkStatus.LOCAL_PROTECTION;
            qp.cq()
                    .add(
                            into.id(),
                            bytes > into.length() ? WorkStatus.LOCAL_LENGTH : status,
                            Operation.RECEIVE,
                            0,
                            qp.number());
            refuse(message, sender, with, Answer.OPERATION_ERROR);
            return;
        }
        if (bytes > 0 && region != null) {
            MemorySegment scratch = qp.fabric().scratch(bytes);
            message.gather(sender.pd(), scratch);
            region.write(into.address(), bytes, scratch, 0);
        }
        take(message, sender, with);
        qp.cq().add(into.id(), WorkStatus.SUCCESS, Operation.RECEIVE, bytes, qp.number());
        qp.noticeArrival();
    }

    private void write(SendRequest message, SoftQp sender, Peering with) {
        long bytes = message.bytes();
        if (bytes > 0) {
            Region region = qp.device().keys().find(message.key());
            if (region == null
                    || region.pd() != qp.pd()
                    || !region.allows(message.remoteAddress(), bytes, Access.REMOTE_WRITE)) {
                refuse(message, sender, with, Answer.ACCESS_ERROR);
                return;
            }
            MemorySegment scratch = qp.fabric().scratch(bytes);
            message.gather(sender.pd(), scratch);
            region.write(message.remoteAddress(), bytes, scratch, 0);
        }
        take(message, sender, with);
        qp.noticeArrival();
    }

    private void take(SendRequest message, SoftQp sender, Peering with) {
        expectedPsn++;
        complained = false;
        qp.fabric().trace("arrival", with.own().toString(), qp.number(), message.psn());
        answer(sender, with, Answer.ACK, message.psn());
    }

    private void refuse(SendRequest message, SoftQp sender, Peering with, Answer why) {
        answer(sender, with, why, message.psn());
        qp.failByPeer();
    }

    private void answer(SoftQp sender, Peering with, Answer what, long psn) {
        SoftFabric fabric = qp.fabric();
        Transit back = qp.transit(with);
        Faults.Verdict verdict = fabric.faults().judge(Kind.ACK, with.own(), with.remote());
        if (!back.arrives() || verdict.dropped()) {
            fabric.trace("lost answer", with.own().toString(), qp.number(), psn);
            return;
        }
        long at = fabric.time().now() + back.delayNanos() + verdict.delayNanos();
        fabric.time().at(at, () -> sender.sends().onAnswer(what, psn));
    }
}
