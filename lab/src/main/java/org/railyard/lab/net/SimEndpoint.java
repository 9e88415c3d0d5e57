package org.railyard.lab.net;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.railyard.base.Errno;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.Nid;

/** An NI on the simulated network: its connections in both directions. */
final class SimEndpoint {
    /** Most connections of an NI in one direction. */
    private static final int MAX_CONNECTIONS = 1 << 16;

    final SimNetwork network;
    final SimDevice device;
    final LndNi ni;
    final LndUpcalls stack;
    private final Nid nid;
    private final Map<Nid, SendChannel> channels = new LinkedHashMap<>();
    private final Map<SendChannel, Inbound> inbounds = new LinkedHashMap<>();
    private boolean open = true;

    SimEndpoint(SimNetwork network, SimDevice device, LndNi ni, LndUpcalls stack) {
        this.network = network;
        this.device = device;
        this.ni = ni;
        this.stack = stack;
        this.nid = ni.nid();
        device.add(this);
    }

    Nid nid() {
        return nid;
    }

    int send(LndMessage message) {
        if (!open) {
            return Errno.ESHUTDOWN.status();
        }
        SendChannel channel = channels.get(message.nextHop());
        if (channel == null) {
            if (channels.size() >= MAX_CONNECTIONS) {
                return Errno.ENOBUFS.status();
            }
            channel = new SendChannel(this, message.nextHop());
            channels.put(message.nextHop(), channel);
            channel.connect();
        }
        channel.send(message);
        return 0;
    }

    void remove(SendChannel channel) {
        channels.remove(channel.to(), channel);
    }

    /** Returns the receiving end of a connection that somebody wants to make. */
    Inbound accept(SendChannel from) {
        return inbounds.computeIfAbsent(from, channel -> new Inbound(this, channel));
    }

    void remove(Inbound inbound) {
        inbounds.remove(inbound.channel(), inbound);
    }

    /** Breaks the connection to a peer, if there is one. */
    void reset(Nid peer) {
        SendChannel channel = channels.get(peer);
        if (channel != null) {
            channel.breakUp(BreakCause.RESET);
        }
    }

    /** The stack wants no more from a peer: it broke the protocol. */
    void refuse(Nid peer) {
        reset(peer);
        for (Inbound inbound : List.copyOf(inbounds.values())) {
            if (inbound.channel().from().equals(peer)) {
                inbound.close(true);
            }
        }
    }

    /** A link that goes down breaks all connections at once, so that nothing waits for it. */
    void linkChanged(DeviceEvent event) {
        if (!open) {
            return;
        }
        stack.deviceEvent(ni, event);
        if (event == DeviceEvent.FATAL) {
            breakAll(BreakCause.LINK_DOWN);
            closeInbounds(false);
        }
    }

    private void breakAll(BreakCause cause) {
        for (SendChannel channel : List.copyOf(channels.values())) {
            channel.breakUp(cause);
        }
    }

    /** Ends the NI: all messages are given back before this returns. */
    void shutdown() {
        if (open) {
            open = false;
            device.remove(this);
            breakAll(BreakCause.SHUTDOWN);
            closeInbounds(true);
        }
    }

    /** The node is dead: nothing is given back, nobody is called. */
    void die(boolean reset) {
        open = false;
        device.remove(this);
        for (SendChannel channel : List.copyOf(channels.values())) {
            channel.vanish(reset);
        }
        channels.clear();
        closeInbounds(reset);
    }

    private void closeInbounds(boolean reset) {
        for (Inbound inbound : List.copyOf(inbounds.values())) {
            inbound.close(reset);
        }
    }
}
