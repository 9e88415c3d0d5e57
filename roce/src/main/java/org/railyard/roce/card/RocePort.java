package org.railyard.roce.card;

import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.api.RoceCounters.Counter;
import org.railyard.roce.loop.PacketSource;
import org.railyard.roce.net.Datagrams;
import org.railyard.roce.wire.CmMessage;
import org.railyard.roce.wire.Deth;
import org.railyard.roce.wire.Frame;
import org.railyard.roce.wire.Opcode;
import org.railyard.roce.wire.Psn;
import org.railyard.roce.wire.UdpRoute;
import org.railyard.verbs.card.cm.CmPort;

/** The port of a device: its socket, what it receives and sends. */
public final class RocePort implements CmPort<RoceQp>, PacketSource {
    /** The queue pair of the connection manager. */
    private static final int MANAGER_QP = 1;

    private static final int KIB = 1024;

    private final RoceDevice device;
    private final CardContext context;
    private final RoceCounters counters;
    private final Datagrams.Socket socket;
    private final Frame incoming = new Frame();
    private int datagramPsn;

    RocePort(RoceDevice device, CardContext context) {
        this.device = device;
        this.context = context;
        this.counters = context.counters();
        this.socket = context.net().open(device.at(), context.settings().udpPort(), counters);
    }

    @Override
    public int ip() {
        return device.at().ip();
    }

    @Override
    public RoceDevice device() {
        return device;
    }

    @Override
    public int number() {
        return 1;
    }

    @Override
    public boolean isUp() {
        return device.isUp();
    }

    /** Returns how much its socket has room for, KiB. */
    public int room() {
        return socket.room() / KIB;
    }

    /** Returns the route to another node. */
    public UdpRoute routeTo(int to) {
        int udpPort = context.settings().udpPort();
        return new UdpRoute(ip(), udpPort, to, udpPort);
    }

    @Override
    public boolean receive(int most) {
        for (int i = 0; i < most; i++) {
            UdpRoute route = socket.receive(incoming);
            if (route == null) {
                return i > 0;
            }
            Frame.Fault fault = incoming.arrived(route);
            if (fault == Frame.Fault.NONE) {
                counters.add(Counter.RECEIVED);
                dispatch(route);
            } else {
                counters.add(fault == Frame.Fault.CHECKSUM ? Counter.BAD_CHECKSUM : Counter.MALFORMED);
            }
        }
        return true;
    }

    private void dispatch(UdpRoute route) {
        if (incoming.opcode() == Opcode.DATAGRAM) {
            if (incoming.destinationQp() == MANAGER_QP && incoming.datagramKey() == Deth.MANAGER_KEY) {
                context.manager().onDatagram(this, route.sourceIp(), incoming);
            } else {
                counters.add(Counter.UNKNOWN_QP);
            }
            return;
        }
        RoceQp qp = device.qp(incoming.destinationQp());
        RocePeer with = qp == null ? null : qp.peer();
        if (qp == null || with == null) {
            counters.add(Counter.UNKNOWN_QP);
        } else if (with.route().destinationIp() != route.sourceIp()) {
            counters.add(Counter.SPOOFED);
        } else {
            hand(qp);
        }
    }

    private void hand(RoceQp qp) {
        try {
            if (incoming.opcode() == Opcode.ACKNOWLEDGE) {
                qp.requester().answered(incoming);
            } else {
                qp.responder().arrived(incoming);
            }
        } catch (RuntimeException e) {
            qp.failed(e);
        }
    }

    /** Returns the packet that is to be sent next. */
    Frame outgoing() {
        return socket.outgoing();
    }

    /** Tells whether the payload of a packet may be left where it is. */
    boolean fetchesPayload() {
        return socket.fetchesPayload();
    }

    /**
     * Sends the packet that was written, at the end of the turn at the latest.
     *
     * @param unsent is told if it does not leave after all
     * @param psn its number, for that
     */
    Datagrams.Sent send(UdpRoute route, Datagrams.Unsent unsent, int psn) {
        Datagrams.Sent sent = socket.send(route, unsent, psn);
        if (sent != Datagrams.Sent.BUSY) {
            counters.add(Counter.SENT);
        }
        return sent;
    }

    @Override
    public void flush() {
        socket.flush();
    }

    /** Returns how much waits that gains nothing by waiting, bytes ({@link Datagrams.Socket#fullBytes}). */
    int fullBytes() {
        return socket.fullBytes();
    }

    /** Returns how often what was taken to be sent had to leave ({@link Datagrams.Socket#flushes}). */
    long flushes() {
        return socket.flushes();
    }

    /** Sends a message of the connection manager; it may be lost, as any datagram. */
    public void send(CmMessage message, UdpRoute route) {
        Frame frame = outgoing()
                .begin(Opcode.DATAGRAM, MANAGER_QP, false, true, datagramPsn)
                .deth(Deth.MANAGER_KEY, MANAGER_QP);
        datagramPsn = Psn.plus(datagramPsn, 1);
        message.write(frame.memory(), frame.payloadOffset());
        frame.payload(CmMessage.BYTES);
        if (send(route, Datagrams.Unsent.IGNORED, 0) != Datagrams.Sent.BUSY) {
            counters.add(Counter.CM_SENT);
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
