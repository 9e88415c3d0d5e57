package org.railyard.o2iblnd;

import java.util.ArrayList;
import java.util.List;
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

/** Replies to every GET with so many bytes, or not at all. */
final class ReplyingStack implements LndUpcalls {
    private static final int NO_REPLY = -1;

    private final LndNi ni;
    private final List<Integer> completions = new ArrayList<>();
    private final List<Runnable> held = new ArrayList<>();
    private int length = NO_REPLY;
    private boolean holding;

    ReplyingStack(LndNi ni) {
        this.ni = ni;
    }

    /** Answers nothing from now on until {@link #release}. */
    void hold() {
        holding = true;
    }

    void release() {
        holding = false;
        held.forEach(Runnable::run);
        held.clear();
    }

    void reply(int bytes) {
        length = bytes;
    }

    List<Integer> completions() {
        return completions;
    }

    @Override
    public int parse(LndNi on, LNetHeader header, Nid from, int fromPid, LndReceiver receiver) {
        if (!receiver.placesReply()) {
            throw new AssertionError("a GET that does not say where to write");
        }
        if (holding) {
            held.add(() -> answer(header, from, receiver));
        } else {
            answer(header, from, receiver);
        }
        return 0;
    }

    private void answer(LNetHeader header, Nid from, LndReceiver receiver) {
        if (length == NO_REPLY) {
            receiver.receive(null, 0, 0);
            return;
        }
        LNetHeader reply = new LNetHeader();
        reply.setReply(length, header.interfaceCookie(), header.objectCookie());
        reply.setRoute(from, ProcessId.LUSTRE_PID, ni.nid(), ProcessId.LUSTRE_PID);
        receiver.receive(new TestMessage(reply, from, length), length, length);
    }

    @Override
    public void complete(LndMessage message, int status, HealthStatus health) {
        completions.add(status);
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
