package org.railyard.mad.transport;

import java.util.function.BooleanSupplier;
import org.railyard.fabric.model.Fabric;

/** A subnet to test a transport in: a fabric with the transport at its first channel adapter. */
public interface MadFixture extends AutoCloseable {
    /** Returns the fabric. LIDs of the model mean nothing. */
    Fabric fabric();

    /** Returns the transport; it has no receiver yet. */
    MadTransport transport();

    /** Waits until a condition that other threads may make true holds; false after a generous time. */
    boolean await(BooleanSupplier condition);

    /** Pulls a cable, given by the port index of one end. */
    void unlink(int port);

    /** Puts it back. */
    void relink(int port);

    /** Makes a node's agent lose all requests, or answer again. */
    void silence(int node, boolean silent);

    @Override
    void close();
}
