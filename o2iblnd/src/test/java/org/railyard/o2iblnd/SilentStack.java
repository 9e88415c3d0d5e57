package org.railyard.o2iblnd;

import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/** Throws everything away that arrives. */
final class SilentStack implements LndUpcalls {
    @Override
    public int parse(LndNi ni, LNetHeader header, Nid from, int fromPid, LndReceiver receiver) {
        receiver.receive(null, 0, header.payloadLength());
        return 0;
    }

    @Override
    public void complete(LndMessage message, int status, HealthStatus health) {
        throw new AssertionError("nothing was lent");
    }

    @Override
    public void notifyPeer(LndNi ni, Nid peer, boolean alive, boolean reset, long whenNanos) {
        // Nobody is interested.
    }

    @Override
    public void deviceEvent(LndNi ni, DeviceEvent event) {
        // Nobody is interested.
    }
}
