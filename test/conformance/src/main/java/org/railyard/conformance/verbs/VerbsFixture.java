package org.railyard.conformance.verbs;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.VerbsProvider;

/** A verbs provider with a small world around it, made anew for each test: nodes 0, 1 and 2, each with one port. */
public interface VerbsFixture extends AutoCloseable {
    /** Tells why a capability is missing; empty if it is there. */
    Optional<String> lacks(VerbsCapability capability);

    /** Returns the provider of a node, always the same one. */
    VerbsProvider provider(int node);

    /** Returns the address of a node, with a port. */
    CmAddress address(int node, int port);

    /** Returns an address that no node has. */
    CmAddress nobody();

    /** Lets happen what happens by itself until a condition holds; false if it does not within a generous limit. */
    boolean await(BooleanSupplier condition);

    /** Lets time limits pass, besides, as fast as it can, until a condition holds; false if it never does. */
    boolean elapse(BooleanSupplier condition);

    /** Lets everything come to rest that happens by itself. */
    void settle();

    /** Lets nothing through any more between two nodes, or everything again; with {@link VerbsCapability#CUT} only. */
    default void cut(int one, int other, boolean isCut) {
        throw new UnsupportedOperationException("no way to cut");
    }

    /** Makes the network lose and repeat messages with some probability; with {@link VerbsCapability#LOSS} only. */
    default void disturb(double loss, double repetition) {
        throw new UnsupportedOperationException("no way to disturb");
    }

    /** Takes the port of a node down, or brings it back; with {@link VerbsCapability#PORT_EVENTS} only. */
    default void port(int node, boolean up) {
        throw new UnsupportedOperationException("no ports");
    }

    /** Lets so much time pass, ns, in a world in virtual time. */
    default void pass(long nanos) {
        throw new UnsupportedOperationException("time passes by itself");
    }

    @Override
    void close();
}
