package org.railyard.conformance.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.railyard.conformance.Polling;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.VerbsProvider;

/** Three providers in real time, on IPv4 addresses that follow each other. */
public abstract class RealTimeWorld implements VerbsFixture {
    /** How many nodes there are. */
    protected static final int NODES = 3;

    private static final int NOBODY = 98;
    private static final int NOBODYS_PORT = 987;

    private static final long LOOK_NANOS = 200_000;

    private final int firstIp;
    private final long limitNanos;
    private final long settleNanos;
    private final List<VerbsProvider> providers = new ArrayList<>();

    /**
     * Makes the world, without its providers.
     *
     * @param firstIp IPv4 address of node 0
     * @param limitNanos limit of {@link #await} and {@link #elapse}, ns
     * @param settleNanos what is on its way arrives long before, ns
     */
    protected RealTimeWorld(int firstIp, long limitNanos, long settleNanos) {
        this.firstIp = firstIp;
        this.limitNanos = limitNanos;
        this.settleNanos = settleNanos;
    }

    /** Adds the provider of the next node. */
    protected final void add(VerbsProvider provider) {
        providers.add(provider);
    }

    @Override
    public final VerbsProvider provider(int node) {
        return providers.get(node);
    }

    @Override
    public final CmAddress address(int node, int port) {
        return new CmAddress(firstIp + node, port);
    }

    @Override
    public final CmAddress nobody() {
        return new CmAddress(firstIp + NOBODY, NOBODYS_PORT);
    }

    @Override
    public final boolean await(BooleanSupplier condition) {
        return Polling.until(condition, limitNanos, LOOK_NANOS);
    }

    /** In real time: the limits are those of the other side, too. */
    @Override
    public final boolean elapse(BooleanSupplier condition) {
        return await(condition);
    }

    @Override
    public final void settle() {
        Polling.until(() -> false, settleNanos, LOOK_NANOS);
    }

    @Override
    public void close() {
        providers.forEach(VerbsProvider::close);
    }
}
