package org.railyard.lnet.peer;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/**
 * Finds out whether a peer can be given a list of NIDs, before anything is changed: a list that is refused leaves the
 * peer as it was (spec 11 §4.3).
 */
final class AdditionCheck {
    private final PeerTable peers;

    /** The configured peer that is extended; null for one that is to be made. */
    private final @Nullable Peer extended;

    /** The peer that is forgotten for the new one; null if there is none. */
    private final @Nullable Peer replaced;

    private final boolean multiRail;
    private final Set<Nid> has = new LinkedHashSet<>();
    private final Set<Net> nets = new LinkedHashSet<>();
    private int made;

    AdditionCheck(PeerTable peers, Nid primary, boolean multiRail) {
        this.peers = peers;
        this.multiRail = multiRail;
        PeerNi known = peers.find(primary);
        Peer owner = known == null ? null : known.peer();
        boolean configured = owner != null && owner.is(PeerState.CONFIGURED);
        extended = configured ? owner : null;
        replaced = configured ? null : owner;
        has.add(primary);
        nets.add(primary.net());
        made = owner == null ? 1 : 0;
        if (extended != null) {
            extended.nis().forEach(ni -> has.add(ni.nid()));
            for (PeerNet net : extended.nets) {
                nets.add(net.net());
            }
        }
    }

    /** Returns 0, or the negative status that adding this NID, after those asked about before, would end with. */
    int add(Nid nid, int maxNids) {
        if (has.contains(nid)) {
            return 0;
        }
        if (has.size() >= maxNids) {
            return Errno.ENOSPC.status();
        }
        if (!multiRail && nets.contains(nid.net())) {
            return Errno.ENOTUNIQ.status();
        }
        PeerNi known = peers.find(nid);
        Peer owner = known == null ? null : known.peer();
        if (owner == null) {
            made++;
            if (!peers.makeRoom(made)) {
                return Errno.ENOMEM.status();
            }
        } else if (owner != replaced && keeps(owner, nid)) {
            return Errno.EEXIST.status();
        }
        has.add(nid);
        nets.add(nid.net());
        return 0;
    }

    /** Tells whether a peer does not let a NID go. */
    private boolean keeps(Peer owner, Nid nid) {
        if (owner.is(PeerState.CONFIGURED)) {
            return true;
        }
        List<PeerNi> left = new ArrayList<>(owner.nis());
        left.removeIf(ni -> has.contains(ni.nid()));
        return nid.equals(owner.primaryNid) && owner.is(PeerState.LOCK_PRIMARY) && left.size() > 1;
    }
}
