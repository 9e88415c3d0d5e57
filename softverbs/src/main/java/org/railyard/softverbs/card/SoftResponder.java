package org.railyard.softverbs.card;

import org.jspecify.annotations.Nullable;
import org.railyard.softverbs.net.PortPair;
import org.railyard.softverbs.net.SimulatedFabric;
import org.railyard.softverbs.net.SoftSettings;
import org.railyard.softverbs.net.TrafficKind;
import org.railyard.softverbs.net.Transmission;
import org.railyard.verbs.Access;
import org.railyard.verbs.WorkStatus;
import org.railyard.verbs.card.ReceiveQueue;
import org.railyard.verbs.card.SendRequest;
import org.railyard.verbs.card.memory.Region;
import org.railyard.verbs.card.memory.Stretch;

/** The receiving half of a reliable connection: messages once and in order, into memory that they may write to. */
final class SoftResponder {
    /** An acknowledgement with its headers. */
    private static final int ANSWER_BYTES = SoftSettings.PACKET_OVERHEAD + 4;

    private final SoftQp qp;
    private long expectedPsn;
    /** Whether a NAK was sent for the expected segment; until that one comes, there is no other. */
    private boolean nakSent;

    /** Used again for each piece of memory that is copied. */
    private final Stretch from = new Stretch();

    private final Stretch to = new Stretch();

    SoftResponder(SoftQp qp) {
        this.qp = qp;
    }

    /** What became of a segment's bytes. */
    private enum Copied {
        DONE,
        /** The sender's memory is not registered any more, or freed. */
        UNREADABLE,
        /** The memory here is freed. */
        UNWRITABLE
    }

    void begin(long firstPsn) {
        expectedPsn = firstPsn;
    }

    /** A segment came. */
    void arrive(Segment segment, SoftQp sender) {
        SoftPeer with = qp.peer();
        if (with == null
                || !qp.isReady()
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
            if (!nakSent) {
                nakSent = true;
                answer(sender, with, Answer.SEQUENCE_ERROR, expectedPsn);
            }
        } else if (segment.request().isWrite()) {
            write(segment, sender, with);
        } else {
            receive(segment, sender, with);
        }
    }

    private void receive(Segment segment, SoftQp sender, SoftPeer with) {
        ReceiveQueue receives = qp.receives();
        if (receives.isEmpty()) {
            nakSent = true;
            answer(sender, with, Answer.RECEIVER_NOT_READY, segment.psn());
            return;
        }
        int bytes = Math.toIntExact(segment.request().bytes());
        boolean fits = bytes <= receives.length();
        Region region = region(segment, receives.key(), receives.address(), Access.LOCAL_WRITE);
        if (!fits || bytes > 0 && region == null) {
            receives.complete(fits ? WorkStatus.LOCAL_PROTECTION : WorkStatus.LOCAL_LENGTH, 0);
            refuse(segment, sender, with, Answer.OPERATION_ERROR);
            return;
        }
        switch (copy(segment, sender, region, receives.address())) {
            case DONE -> {
                take(segment, sender, with);
                if (segment.ends()) {
                    receives.complete(WorkStatus.SUCCESS, bytes);
                }
                qp.noticeArrival();
            }
            case UNREADABLE -> sender.requester().failUnreadable(segment.request());
            case UNWRITABLE -> {
                receives.complete(WorkStatus.LOCAL_PROTECTION, 0);
                refuse(segment, sender, with, Answer.OPERATION_ERROR);
            }
        }
    }

    private void write(Segment segment, SoftQp sender, SoftPeer with) {
        SendRequest message = segment.request();
        Region region = region(segment, message.key(), message.remoteAddress(), Access.REMOTE_WRITE);
        if (message.bytes() > 0 && region == null) {
            refuse(segment, sender, with, Answer.ACCESS_ERROR);
            return;
        }
        switch (copy(segment, sender, region, message.remoteAddress())) {
            case DONE -> {
                take(segment, sender, with);
                qp.noticeArrival();
            }
            case UNREADABLE -> sender.requester().failUnreadable(message);
            case UNWRITABLE -> refuse(segment, sender, with, Answer.ACCESS_ERROR);
        }
    }

    /**
     * Returns the memory region with a key, null if the segment may not go there: the first one if all of the message
     * may not. Looked at for each segment, since the region may have been invalidated.
     */
    private @Nullable Region region(Segment segment, int key, long address, int access) {
        long bytes = segment.begins() ? segment.request().bytes() : segment.length();
        return bytes == 0 ? null : qp.pd().region(key, address + segment.offset(), bytes, access);
    }

    /** Copies a segment. What can not be read was never sent. */
    private Copied copy(Segment segment, SoftQp sender, @Nullable Region region, long address) {
        if (region == null || segment.length() == 0) {
            return Copied.DONE;
        }
        SendRequest message = segment.request();
        if (!message.isReadable(sender.pd(), segment.offset(), segment.length())) {
            return Copied.UNREADABLE;
        }
        long end = segment.offset() + segment.length();
        for (long at = segment.offset(); at < end; ) {
            long found = message.stretch(sender.pd(), at, end - at, from);
            if (found == 0 || !isAlive(from)) {
                return Copied.UNREADABLE;
            }
            long bytes = region.stretch(address + at, found, to);
            if (bytes == 0 || !isAlive(to)) {
                return Copied.UNWRITABLE;
            }
            qp.fabric().mover().move(from, to, bytes);
            at += bytes;
        }
        return Copied.DONE;
    }

    /** Tells whether memory is there still, and for this thread. */
    private static boolean isAlive(Stretch stretch) {
        return stretch.memory().scope().isAlive() && stretch.memory().isAccessibleBy(Thread.currentThread());
    }

    private void take(Segment segment, SoftQp sender, SoftPeer with) {
        expectedPsn++;
        nakSent = false;
        qp.fabric().trace("arrival", with.own(), qp.number(), segment.psn());
        if (segment.wantsAnswer()) {
            answer(sender, with, Answer.ACK, segment.psn());
        }
    }

    private void refuse(Segment segment, SoftQp sender, SoftPeer with, Answer why) {
        answer(sender, with, why, segment.psn());
        qp.failByPeer();
    }

    private void answer(SoftQp sender, SoftPeer with, Answer what, long psn) {
        PortPair back = qp.route();
        if (back != null) {
            SimulatedFabric fabric = qp.fabric();
            fabric.send(new Transmission(
                    TrafficKind.ACK,
                    back,
                    ANSWER_BYTES,
                    fabric.time().now(),
                    0,
                    fabric.judge(TrafficKind.ACK, back),
                    new Reply(sender, with, what, psn)));
        }
    }

    /** An answer under way. */
    private final class Reply implements Transmission.Sender {
        private final SoftQp to;
        private final SoftPeer with;
        private final Answer what;
        private final long psn;

        Reply(SoftQp to, SoftPeer with, Answer what, long psn) {
            this.to = to;
            this.with = with;
            this.what = what;
            this.psn = psn;
        }

        @Override
        public void arrives() {
            to.requester().onAnswer(what, psn);
        }

        @Override
        public void isLost() {
            qp.fabric().trace("lost answer", with.own(), qp.number(), psn);
        }
    }
}
