package org.railyard.lnet.forward;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.railyard.base.host.StateLock;
import org.railyard.lnet.api.RouterBufferInfo;
import org.railyard.lnet.api.RouterBufferSize;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.RouterPool;

/**
 * The router buffers of a node: a pool for each size and CPU partition (spec 11 §6.6). There are none until it
 * forwards.
 */
public final class RouterBuffers {
    private static final RouterBufferSize[] SIZES = RouterBufferSize.values();

    private final StateLock lock;
    private final int cpts;
    private RouterPool[] pools = {};

    /**
     * Makes no buffers.
     *
     * @param lock guards it
     * @param cpts CPU partitions of the node, at least 1
     */
    public RouterBuffers(StateLock lock, int cpts) {
        this.lock = lock;
        this.cpts = cpts;
    }

    /** Makes the pools. */
    public void open(Settings settings) {
        lock.assertHeld();
        pools = new RouterPool[cpts * SIZES.length];
        for (int i = 0; i < pools.length; i++) {
            pools[i] = new RouterPool(sizeOf(i).bytes(), share(sizeOf(i), settings));
        }
    }

    /** There are no buffers any more; those in use go as they come back. Nobody waits for one. */
    public void close() {
        lock.assertHeld();
        for (RouterPool pool : pools) {
            pool.close();
        }
        pools = new RouterPool[0];
    }

    /**
     * Changes the number of buffers.
     *
     * @param going takes the messages that waited and have one now
     */
    public void resize(Settings settings, Consumer<Message> going) {
        lock.assertHeld();
        for (int i = 0; i < pools.length; i++) {
            pools[i].resize(share(sizeOf(i), settings));
            for (Message next = pools[i].next(); next != null; next = pools[i].next()) {
                going.accept(next);
            }
        }
    }

    private static RouterBufferSize sizeOf(int place) {
        return SIZES[place % SIZES.length];
    }

    private int share(RouterBufferSize size, Settings settings) {
        return Math.max(1, size.total(settings) / cpts);
    }

    /**
     * Returns the pool for a message; there must be pools.
     *
     * @param cpt its CPU partition
     * @param payload its length, bytes
     */
    public RouterPool pool(int cpt, int payload) {
        lock.assertHeld();
        return pools[cpt * SIZES.length + RouterBufferSize.of(payload).ordinal()];
    }

    /** Returns all pools; not to be changed. */
    public RouterPool[] pools() {
        lock.assertHeld();
        return pools;
    }

    /** Tells whether no buffer is in use. */
    public boolean isIdle() {
        lock.assertHeld();
        for (RouterPool pool : pools) {
            if (!pool.isIdle()) {
                return false;
            }
        }
        return true;
    }

    /** Describes the pools. */
    public List<RouterBufferInfo> snapshot() {
        lock.assertHeld();
        List<RouterBufferInfo> all = new ArrayList<>();
        for (int i = 0; i < pools.length; i++) {
            RouterPool pool = pools[i];
            all.add(new RouterBufferInfo(i / SIZES.length, sizeOf(i), pool.size(), pool.credits(), pool.min()));
        }
        return all;
    }

    /**
     * Checks each pool.
     *
     * @throws AssertionError if its numbers are wrong
     */
    public void checkInvariants() {
        lock.assertHeld();
        for (RouterPool pool : pools) {
            pool.checkInvariants();
        }
    }
}
