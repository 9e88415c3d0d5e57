package org.railyard.o2iblnd.cm;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.connection.IbConn;
import org.railyard.o2iblnd.ni.NiContext;
import org.railyard.verbs.CmId;

/** An interface of an NI that takes requests for connections. Belongs to the loop. */
public interface ListeningInterface {
    /** Returns the NI that it belongs to. */
    NiContext ni();

    /** Returns the record of a peer that asks from an address; null if there are too many. */
    @Nullable
    ConnectPeer peer(Nid nid, int remoteIp);

    /** Returns the addresses of all interfaces of the NI, in order. */
    List<Integer> addresses();

    /** A request was accepted: its events are those of a connection from now on. */
    void accepted(IbConn conn);

    /** Returns the connection that an end was accepted for; null if it is none of this interface. */
    @Nullable
    IbConn acceptedAt(CmId id);
}
