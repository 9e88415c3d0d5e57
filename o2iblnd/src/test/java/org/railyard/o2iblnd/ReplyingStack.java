package org.railyard.o2iblnd;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.Lnd;
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
    private @Nullable Lnd lnd;
    private int length = NO_REPLY;

    ReplyingStack(LndNi ni) {
        this.ni = ni;
    }

    void answersThrough(Lnd transport) {
        lnd = transport;
    }

    void reply(int bytes) {
        length = bytes;
    }

    List<Integer> completions() {
        return completions;
    }

    @Override
    public int parse(LndNi on, LNetHeader header, Nid from, int fromPid, LndReceiver receiver) {
        receiver.receive(null, 0, 0);
        Lnd transport = lnd;
        if (length != NO_REPLY && transport != null) {
            LNetHeader reply = new LNetHeader();
            reply.setReply(length, header.interfaceCookie(), header.objectCookie());
            reply.setRoute(from, ProcessId.LUSTRE_PID, ni.nid(), ProcessId.LUSTRE_PID);
            transport.send(ni, new TestMessage(reply, from, length));
        }
        return 0;
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
