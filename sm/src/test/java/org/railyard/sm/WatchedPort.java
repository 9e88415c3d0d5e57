package org.railyard.sm;

import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.transport.LocalPort;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadLoop;
import org.railyard.mad.transport.MadReceiver;
import org.railyard.mad.transport.MadTransport;
import org.railyard.mad.wire.Mad;

/** A simulated port that passes everything on: who extends it looks at some of it. */
public abstract class WatchedPort implements MadTransport {
    private final SimulatedPort port;

    /** Makes one before a port. */
    protected WatchedPort(SimulatedPort port) {
        this.port = port;
    }

    @Override
    public MadLoop loop() {
        return port.loop();
    }

    @Override
    public LocalPort port() {
        return port.port();
    }

    @Override
    public void receiver(MadReceiver receiver) {
        port.receiver(receiver);
    }

    @Override
    public void send(Mad mad, MadAddress to, int timeoutMillis) {
        port.send(mad, to, timeoutMillis);
    }

    @Override
    public int maxOutstanding() {
        return port.maxOutstanding();
    }

    @Override
    public boolean reportsTimeouts() {
        return port.reportsTimeouts();
    }

    @Override
    public boolean reassembles() {
        return port.reassembles();
    }

    @Override
    public void markSm(boolean isSm) {
        port.markSm(isSm);
    }

    @Override
    public void close() {
        port.close();
    }
}
