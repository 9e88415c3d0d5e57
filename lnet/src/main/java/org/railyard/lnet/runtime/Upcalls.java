package org.railyard.lnet.runtime;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.DeviceEvent;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.stack.Dispatcher;
import org.railyard.lnet.stack.PlacedReplies;
import org.railyard.lnet.stack.Receiver;
import org.railyard.lnet.wire.LNetHeader;

/** The stack as transports see it. */
final class Upcalls implements LndUpcalls {
    private @Nullable Receiver receiver;
    private @Nullable Dispatcher dispatcher;
    private @Nullable Devices devices;

    void connect(Receiver receiving, Dispatcher dispatching, Devices listening) {
        receiver = receiving;
        dispatcher = dispatching;
        devices = listening;
    }

    @Override
    public int parse(LndNi ni, LNetHeader header, Nid from, int fromPid, LndReceiver source) {
        if (receiver == null) {
            throw notConnected();
        }
        return receiver.parse(ni, header, from, source);
    }

    @Override
    public void complete(LndMessage message, int status, HealthStatus health) {
        if (dispatcher == null) {
            throw notConnected();
        }
        dispatcher.complete(message, status, health);
    }

    @Override
    public void completeSoon(LndMessage message) {
        if (dispatcher == null) {
            throw notConnected();
        }
        dispatcher.completeSoon(message);
    }

    @Override
    public void flush() {
        if (dispatcher == null) {
            throw notConnected();
        }
        dispatcher.flush();
    }

    @Override
    public @Nullable LndMessage reply(LndNi ni, LndMessage get) {
        if (receiver == null) {
            throw notConnected();
        }
        return receiver.makeReply(get);
    }

    @Override
    public void setReplyLength(LndMessage reply, int length) {
        PlacedReplies.setLength(reply, length);
    }

    @Override
    public void notifyPeer(LndNi ni, Nid peer, boolean alive, boolean reset, long whenNanos) {
        if (devices == null) {
            throw notConnected();
        }
        devices.peer(ni, peer, alive, reset, whenNanos);
    }

    @Override
    public void connected(LndNi ni, Nid peer) {
        if (devices == null) {
            throw notConnected();
        }
        devices.connected(ni, peer);
    }

    @Override
    public void disconnected(LndNi ni, Nid peer) {
        if (devices == null) {
            throw notConnected();
        }
        devices.disconnected(ni, peer);
    }

    @Override
    public void deviceEvent(LndNi ni, DeviceEvent event) {
        if (devices == null) {
            throw notConnected();
        }
        devices.event(ni, event);
    }

    private static IllegalStateException notConnected() {
        return new IllegalStateException("the stack is not wired up");
    }
}
