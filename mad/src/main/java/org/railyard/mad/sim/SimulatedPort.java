package org.railyard.mad.sim;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.transport.LocalPort;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadLoop;
import org.railyard.mad.transport.MadReceiver;
import org.railyard.mad.transport.MadTransport;
import org.railyard.mad.wire.Mad;

/**
 * A transport at a port of a simulated subnet. As a kernel does, it uses the upper half of a request's transaction
 * itself.
 */
public final class SimulatedPort implements MadTransport {
    /** Most requests that may be unanswered. */
    public static final int MAX_OUTSTANDING = 1024;

    private static final long LOW_HALF = 0xFFFF_FFFFL;

    private final SimulatedSubnet subnet;
    private final int port;
    private @Nullable MadReceiver receiver;
    private boolean closed;

    SimulatedPort(SimulatedSubnet subnet, int port) {
        this.subnet = subnet;
        this.port = port;
    }

    @Override
    public MadLoop loop() {
        return subnet.loop();
    }

    @Override
    public LocalPort port() {
        Fabric fabric = subnet.fabric();
        int node = fabric.nodeOf(port);
        return new LocalPort(fabric.description(node), fabric.portNumber(port), fabric.portGuid(port));
    }

    @Override
    public void receiver(MadReceiver newReceiver) {
        if (receiver != null) {
            throw new IllegalStateException(port() + " has a receiver already");
        }
        receiver = newReceiver;
    }

    @Override
    public void send(Mad mad, MadAddress to, int timeoutMillis) {
        if (closed) {
            throw new ErrnoException(Errno.ESHUTDOWN, port() + " is closed");
        }
        if (mad.bytes().length != Mad.SIZE) {
            throw new ErrnoException(
                    Errno.EMSGSIZE, "a MAD of " + mad.bytes().length + " bytes; " + Mad.SIZE + " expected");
        }
        Mad own = mad.copy();
        if (!own.isResponse() && timeoutMillis > 0) {
            long tid = (long) (port + 1) << Integer.SIZE | mad.get(Mad.TRANSACTION_ID) & LOW_HALF;
            own.set(Mad.TRANSACTION_ID, tid);
        }
        subnet.send(port, own, to);
    }

    void receive(Mad mad, MadAddress from) {
        if (receiver != null && !closed) {
            receiver.received(mad, from);
        }
    }

    @Override
    public int maxOutstanding() {
        return MAX_OUTSTANDING;
    }

    @Override
    public boolean reportsTimeouts() {
        return false;
    }

    @Override
    public boolean reassembles() {
        return false;
    }

    @Override
    public void markSm(boolean isSm) {
        subnet.markSm(port, isSm);
    }

    /** Fails as a port does whose adapter is gone. */
    public void fail(ErrnoException why) {
        close();
        if (receiver != null) {
            receiver.failed(why);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            subnet.markSm(port, false);
            subnet.detach(port);
        }
    }
}
