package org.railyard.lnet.sim;

import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.NetType;

/** A transport that is never called: for decisions that have no node around them. */
public final class NoLnd implements Lnd {
    @Override
    public NetType type() {
        return NetType.TCP;
    }

    @Override
    public NiBinding resolve(NiRequest request) {
        throw new AssertionError("decisions call no transport");
    }

    @Override
    public void startup(LndNi ni) {
        throw new AssertionError("decisions call no transport");
    }

    @Override
    public void shutdown(LndNi ni) {
        throw new AssertionError("decisions call no transport");
    }

    @Override
    public int send(LndNi ni, LndMessage message) {
        throw new AssertionError("decisions call no transport");
    }

    @Override
    public int timeoutSeconds() {
        throw new AssertionError("decisions call no transport");
    }

    @Override
    public void close() {}
}
