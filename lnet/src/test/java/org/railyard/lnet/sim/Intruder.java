package org.railyard.lnet.sim;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/**
 * Puts messages on the wire that no node of a test sends: what {@link TestNetwork#inject} does not say about how they
 * arrive.
 */
public final class Intruder {
    private Intruder() {}

    /** Sends a GET and says where the answer is to be placed; returns the status of the receiver, which must refuse. */
    public static int getWithPlace(TestNetwork network, Nid from, LNetHeader header, Nid arrivesAt) {
        TestNetwork.Endpoint at = network.endpoint(arrivesAt);
        return at.stack().parse(at.ni(), header, from, header.srcPid(), new Placed());
    }

    private static final class Placed implements LndReceiver {
        @Override
        public void receive(@Nullable LndMessage message, int mlen, int rlen) {
            throw new AssertionError("it must be refused");
        }

        @Override
        public boolean placesReply() {
            return true;
        }
    }

    /** Sends a message whose payload does not arrive. */
    public static void broken(TestNetwork network, Nid from, LNetHeader header, Nid arrivesAt) {
        TestLnd.arrive(
                network, network.endpoint(arrivesAt), from, header, MemorySegment.NULL, Errno.ECONNRESET.status());
    }
}
