package org.railyard.lnet.stack;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.NodeEventKind;
import org.railyard.lnet.event.NodeEvents;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.peer.PeerWatcher;

/** Tells which peers come and go. */
final class PeerEvents implements PeerWatcher {
    private final NodeEvents events;

    PeerEvents(NodeEvents events) {
        this.events = events;
    }

    @Override
    public void added(Peer peer) {
        events.tell(NodeEventKind.PEER_ADDED, peer.primaryNid);
    }

    @Override
    public void removed(Peer gone, @Nullable Peer successor, int status) {
        Nid other = successor == null ? Nid.ANY : successor.primaryNid;
        events.tell(NodeEventKind.PEER_REMOVED, gone.primaryNid, other, 0, status, "");
    }
}
