package org.railyard.o2iblnd.connection;

/** What a connection tells the peer that it belongs to. Belongs to the loop. */
public interface ConnectionOwner extends RemotePeer {
    /** The connection is up. */
    void established(IbConn conn);

    /** The connection is closed for its connection manager id, which is closed next. */
    void disconnected(IbConn conn);

    /**
     * A connection has ended; nothing touches its memory any more.
     *
     * @param orderly whether nothing was under way on it, and nothing is wrong
     */
    void closed(IbConn conn, CloseReason reason, boolean orderly);
}
