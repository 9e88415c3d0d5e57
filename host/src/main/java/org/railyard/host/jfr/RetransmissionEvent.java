package org.railyard.host.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Traced;

/** {@link Traced.Retransmission} as it is recorded. */
@Name(JfrTracer.PREFIX + "RoceRetransmission")
@Label("RoCE retransmission")
@Description("A software card sends packets again, from the first that is not acknowledged (go-back-N)")
@Category({"Railyard", "RoCE"})
@StackTrace(false)
final class RetransmissionEvent extends Event {
    @Label("Device")
    @Nullable
    String device;

    @Label("Queue Pair")
    int queuePair;

    @Label("Peer Queue Pair")
    int peerQueuePair;

    @Label("PSN")
    @Description("Packet sequence number of the first packet that is sent again")
    int psn;

    @Label("Packets")
    @Description("How many were sent and are not acknowledged")
    int packets;

    @Label("Reason")
    @Description("Time-out, NAK or RNR NAK")
    @Nullable
    String reason;

    /** Records one. */
    static void commit(Traced.Retransmission happened) {
        RetransmissionEvent event = new RetransmissionEvent();
        event.device = happened.device().toString();
        event.queuePair = happened.queuePair();
        event.peerQueuePair = happened.peerQueuePair();
        event.psn = happened.psn();
        event.packets = happened.packets();
        event.reason = happened.reason().toString();
        event.commit();
    }
}
