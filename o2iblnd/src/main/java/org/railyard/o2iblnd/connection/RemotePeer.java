package org.railyard.o2iblnd.connection;

import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.transfer.ChunkShares;
import org.railyard.o2iblnd.transfer.Tx;

/** The peer at the other end of a connection. Belongs to the loop. */
public interface RemotePeer {
    /** Returns the NID of the peer. */
    Nid nid();

    /** Returns the NID as four-byte address and network. */
    long nid4();

    /** Returns the peer's incarnation; 0 if it is not known. */
    long stamp();

    /** Returns what it has of the registered memory of the card. */
    ChunkShares shares();

    /** Closes all connections with the peer, on whatever route. */
    void closeAllRoutes(CloseReason reason);

    /**
     * Takes a transmit over from a connection that failed, if the peer has certainly not seen it (spec 21 cb-067).
     *
     * @return false if it is to be finished: it may have been seen, it is late, or there is no other route
     */
    boolean move(Tx tx);
}
