package org.railyard.roce;

import java.nio.ByteBuffer;
import org.railyard.roce.RoceCounters.Counter;
import org.railyard.roce.wire.CmMessage;
import org.railyard.roce.wire.Deth;
import org.railyard.roce.wire.Frame;
import org.railyard.roce.wire.Opcode;
import org.railyard.roce.wire.Psn;
import org.railyard.roce.wire.UdpRoute;

/** The port of a device: its socket, what it receives and sends. */
final class RocePort {
    private static final System.Logger LOG = System.getLogger(RocePort.class.getName());

    /** The queue pair of the connection manager. */
    private static final int MANAGER_QP = 1;

    private final RoceDevice device;
    private final ProviderThread engine;
    private final CmAgent manager;
    private final RoceCounters counters;
    private final int udpPort;
    private final Datagrams.Socket socket;
    private final Frame incoming = new Frame();
    private int datagramPsn;

    RocePort(
            RoceDevice device,
            ProviderThread engine,
            CmAgent manager,
            RoceCounters counters,
            int udpPort,
            Datagrams net) {
        this.device = device;
        this.engine = engine;
        this.manager = manager;
        this.counters = counters;
        this.udpPort = udpPort;
        this.socket = net.open(device.at(), udpPort, counters);
    }

    RoceDevice device() {
        return device;
    }

    /** Returns the way to another node. */
    UdpRoute routeTo(int ip) {
        return new UdpRoute(device.at().ip(), udpPort, ip, udpPort);
    }

    /** Takes packets from the socket; returns whether there were any. */
    boolean receive(int most) {
        for (int i = 0; i < most; i++) {
            incoming.clear();
            UdpRoute route = socket.receive(incoming.datagram());
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
                manager.receive(this, route.sourceIp(), incoming);
            } else {
                counters.add(Counter.UNKNOWN_QP);
            }
            return;
        }
        RoceQp qp = device.qp(incoming.destinationQp());
        Peering with = qp == null ? null : qp.peering();
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
                qp.sender().answered(incoming);
            } else {
                qp.receiver().arrived(incoming);
            }
        } catch (RuntimeException e) {
            // As a rule, memory that its owner has freed while it is registered.
            LOG.log(System.Logger.Level.ERROR, qp + " failed over a packet", e);
            qp.failByPeer();
        }
    }

    /** Sends the packet that was written. */
    Datagrams.Sent send(UdpRoute route) {
        ByteBuffer datagram = engine.outgoing().finish(route);
        Datagrams.Sent sent = socket.send(datagram, route);
        if (sent != Datagrams.Sent.BUSY) {
            counters.add(Counter.SENT);
        }
        return sent;
    }

    /** Sends a message of the connection manager; it may be lost, as any datagram. */
    void send(CmMessage message, UdpRoute route) {
        Frame frame = engine.outgoing()
                .begin(Opcode.DATAGRAM, MANAGER_QP, false, true, datagramPsn)
                .deth(Deth.MANAGER_KEY, MANAGER_QP);
        datagramPsn = Psn.plus(datagramPsn, 1);
        message.write(frame.memory(), frame.payloadOffset());
        frame.payload(CmMessage.BYTES);
        if (send(route) != Datagrams.Sent.BUSY) {
            counters.add(Counter.CM_SENT);
        }
    }

    RoceCounters counters() {
        return counters;
    }

    void close() {
        socket.close();
    }
}
