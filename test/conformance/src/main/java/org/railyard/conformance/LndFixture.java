package org.railyard.conformance;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;

/**
 * A transport with a small world around it, made anew for each test: nodes 0, 1 and 2, each with rails 0 and 1. A
 * transport in virtual time lets that time pass in {@link #await} and {@link #elapse}; nothing else here waits.
 */
public interface LndFixture extends AutoCloseable {
    /** Tells why a capability is missing; empty if it is there. */
    Optional<String> lacks(Capability capability);

    /** Makes the transport of a node, as after a start of that node: a second one has another incarnation. */
    Lnd start(int node, LndUpcalls stack);

    /** Returns the NID of a node on a rail. */
    Nid nid(int node, int rail);

    /** Returns a NID of more than four bytes for a node; with {@link Capability#LARGE_NIDS} only. */
    default Nid largeNid(int node) {
        throw new UnsupportedOperationException("no large NIDs");
    }

    /** Returns a NID that can be sent to, and that no node has; with {@link Capability#NODES_APART} only. */
    default Nid nobody() {
        throw new UnsupportedOperationException("no other nodes");
    }

    /** Returns a request that {@link Lnd#resolve} has to turn down because there is no such device. */
    NiRequest withoutDevice();

    /** Finds the device for a request. */
    default NiBinding resolve(Lnd lnd, NiRequest request) {
        return lnd.resolve(request);
    }

    /** Is told of an NI that was started. */
    default void started(Lnd lnd, LndNi ni) {}

    /**
     * Tells whether a transport that has talked with so many peers has all the connections with them that it is going
     * to have.
     */
    default boolean isSettled(Lnd lnd, int peers) {
        return true;
    }

    /** Returns the transport's own limit for a message, ns. */
    long timeoutNanos();

    /** Returns the time of the nodes, ns; only differences mean something. */
    long nanoTime();

    /** Lets happen what happens by itself until a condition holds; false if it does not within a generous limit. */
    boolean await(BooleanSupplier condition);

    /** Lets time limits pass, besides, as fast as it can, until a condition holds; false if it never does. */
    boolean elapse(BooleanSupplier condition);

    /** Takes the device of a node on a rail down, or brings it back; with {@link Capability#DEVICE_EVENTS} only. */
    default void device(int node, int rail, boolean up) {
        throw new UnsupportedOperationException("no devices");
    }

    /**
     * Makes the way from one NID to another take no more bytes, or lets it go on; with {@link Capability#STALL} only.
     */
    default void stall(Nid from, Nid to, boolean stalled) {
        throw new UnsupportedOperationException("no way to stall");
    }

    /** Breaks all connections between two NIDs; with {@link Capability#RESET} only. */
    default void reset(Nid one, Nid other) {
        throw new UnsupportedOperationException("no connections");
    }

    @Override
    void close();
}
