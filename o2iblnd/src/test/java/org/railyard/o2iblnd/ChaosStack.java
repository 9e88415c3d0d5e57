package org.railyard.o2iblnd;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.conformance.TestMessage;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;
import org.railyard.softverbs.time.VirtualTime;

/**
 * The stack of a machine of a {@link ChaosRun}: it takes messages whole or not, at once or later, into memory of any
 * kind, refuses one now and then, and answers GETs with as much as they ask for, less, or nothing.
 */
final class ChaosStack implements LndUpcalls {
    private static final int SOON = 2_000_000;

    private final int machine;
    private final ChaosLedger ledger;
    private final VirtualTime time;
    private final SplittableRandom random;
    private ChaosRun.Planted planted = ChaosRun.Planted.NOTHING;
    private boolean calm;

    ChaosStack(int machine, ChaosLedger ledger, VirtualTime time, SplittableRandom random) {
        this.machine = machine;
        this.ledger = ledger;
        this.time = time;
        this.random = random;
    }

    void plant(ChaosRun.Planted defect) {
        planted = defect;
    }

    /** From now on it takes and answers everything at once. */
    void calm() {
        calm = true;
    }

    @Override
    public int parse(LndNi on, LNetHeader header, Nid from, int fromPid, LndReceiver receiver) {
        boolean get = header.type() == MessageType.GET;
        ChaosMessage message = ledger.arrived(header.matchBits(), get, machine);
        if (planted == ChaosRun.Planted.TWICE) {
            ledger.arrived(header.matchBits(), get, machine);
        }
        if (message == null) {
            return Errno.EPROTO.status();
        }
        if (get) {
            int length = header.sinkLength();
            answer(() -> reply(message, length, from, on.nid(), receiver));
            return 0;
        }
        if (!calm && random.nextInt(200) == 0) {
            ledger.cut(machine, message.from());
            return Errno.EPROTO.status();
        }
        int length = header.payloadLength();
        answer(() -> store(message, length, receiver));
        return 0;
    }

    private void answer(Runnable answer) {
        if (calm || random.nextInt(4) > 0) {
            answer.run();
        } else {
            long wait = random.nextLong(random.nextInt(20) == 0 ? ChaosRun.LONGEST_ANSWER : SOON);
            time.at(time.now() + wait, answer);
        }
    }

    private void store(ChaosMessage message, int length, LndReceiver receiver) {
        if (length == 0 || random.nextInt(10) == 0 || planted == ChaosRun.Planted.LOST) {
            message.stored = planted != ChaosRun.Planted.LOST;
            receiver.receive(null, 0, length);
            return;
        }
        TestMessage into = new TestMessage(memory(length));
        ledger.storing(into, message);
        receiver.receive(into, length, length);
    }

    private void reply(ChaosMessage message, int asked, Nid to, Nid own, LndReceiver receiver) {
        int how = calm ? 1 : random.nextInt(10);
        if (how == 0) {
            receiver.receive(null, 0, 0);
            return;
        }
        int length = how < 5 ? asked : random.nextInt(asked + 1);
        ByteBuffer bytes = memory(length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, TestMessage.pattern(message.bits(), i));
        }
        TestMessage reply = new TestMessage(bytes);
        reply.header().setReply(length, 3, 4);
        reply.header().setRoute(to, ProcessId.LUSTRE_PID, own, ProcessId.LUSTRE_PID);
        reply.setNextHop(to, ProcessId.LUSTRE_PID);
        message.replied = length;
        ledger.answering(reply, message);
        receiver.receive(reply, length, length);
    }

    /** Memory that a card reads and writes itself, or not. */
    private ByteBuffer memory(int length) {
        return random.nextBoolean() ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
    }

    @Override
    public void complete(LndMessage message, int status, HealthStatus health) {
        if (planted == ChaosRun.Planted.KEPT && random.nextInt(20) == 0) {
            return;
        }
        if (planted == ChaosRun.Planted.SPOILT && message.payloadLength() > 0) {
            ByteBuffer first = message.fragments()[0];
            first.put(0, (byte) ~first.get(0));
        }
        ledger.completed(message, status, health);
    }

    @Override
    public @Nullable LndMessage reply(LndNi ni, LndMessage get) {
        int length = get.header().sinkLength();
        TestMessage place = new TestMessage(memory(length));
        place.header().setReply(length, 3, 4);
        ledger.awaiting(place, get);
        return place;
    }

    @Override
    public void setReplyLength(LndMessage reply, int length) {
        ledger.replyLength(reply, length);
    }

    @Override
    public void notifyPeer(LndNi on, Nid peer, boolean alive, boolean reset, long whenNanos) {
        // Nobody is interested.
    }

    @Override
    public void deviceEvent(LndNi on, DeviceEvent event) {
        // Nobody is interested.
    }
}
