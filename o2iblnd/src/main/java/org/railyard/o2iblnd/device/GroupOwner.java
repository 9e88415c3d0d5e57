package org.railyard.o2iblnd.device;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.cm.ConnectPeer;

/** What the interfaces of an NI tell it, and ask it. Belongs to the loop. */
public interface GroupOwner {
    /** Returns the record of a peer that asks an interface from an address; null if there are too many. */
    @Nullable
    ConnectPeer peer(Member member, Nid nid, int remoteIp);

    /** An interface can be used again. */
    void usable(Member member);

    /** An interface can not be used any more. */
    void unusable(Member member);

    /** Paths from an interface may be others than before. */
    void pathsChanged(Member member);

    /** There are other interfaces than before. */
    void membersChanged();
}
