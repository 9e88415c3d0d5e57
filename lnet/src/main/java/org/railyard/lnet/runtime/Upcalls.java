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
import org.railyard.lnet.stack.Receiver;
import org.railyard.lnet.wire.LNetHeader;

/** The stack as transports see it. */
final class Upcalls implements LndUpcalls {
    private static final System.Logger LOG = System.getLogger("org.railyard.lnet");

    /** Takes changes of devices. */
    @FunctionalInterface
    interface DeviceListener {
        void changed(LndNi ni, boolean fatal);
    }

    private @Nullable Receiver receiver;
    private @Nullable Dispatcher dispatcher;
    private @Nullable DeviceListener devices;

    void connect(Receiver receiving, Dispatcher dispatching, DeviceListener listening) {
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
    public void notifyPeer(LndNi ni, Nid peer, boolean alive, boolean reset, long whenNanos) {
        LOG.log(System.Logger.Level.DEBUG, "{0}: peer {1} is {2}", ni, peer, alive ? "alive" : "dead");
    }

    @Override
    public void deviceEvent(LndNi ni, DeviceEvent event) {
        if (devices == null) {
            throw notConnected();
        }
        switch (event) {
            case FATAL -> devices.changed(ni, true);
            case CLEAR -> devices.changed(ni, false);
            case DEGRADED -> LOG.log(System.Logger.Level.WARNING, "NI {0} is degraded", ni);
        }
    }

    private static IllegalStateException notConnected() {
        return new IllegalStateException("the stack is not wired up");
    }
}
