package org.railyard.conformance.bond;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;

/** Cards of nodes that talk over InfiniBand, which know each other by their numbers. */
public interface NodeCards extends AutoCloseable {
    /** Returns the transport of a node. */
    LndProvider transport(int node);

    /** Returns the NIs that a node asks for. */
    List<NiRequest> requests(int node);

    /** Returns the NID of the first of them. */
    Nid nid(int node);

    /** Waits for a condition; false if it did not come true in the time that this may take here. */
    boolean await(BooleanSupplier condition);

    @Override
    void close();
}
