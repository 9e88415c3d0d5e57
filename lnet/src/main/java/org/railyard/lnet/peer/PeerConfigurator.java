package org.railyard.lnet.peer;

import java.util.List;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;

/**
 * Peers by configuration; the contract is {@link org.railyard.lnet.api.PeerConfiguration}. Everything here needs the
 * lock.
 */
public final class PeerConfigurator {
    private static final int GONE = Errno.ECANCELED.status();

    private final PeerTable peers;
    private final Membership membership;

    /** Makes a configurator of a table. */
    public PeerConfigurator(PeerTable peers, ProblemListener complaints) {
        this.peers = peers;
        this.membership = new Membership(peers, complaints);
    }

    /** Makes a peer of one NID. */
    public void create(Nid primary, boolean multiRail, boolean lock) {
        requirePeer(primary);
        PeerNi known = peers.find(primary);
        if (known != null) {
            Peer peer = known.peer();
            if (peer.is(PeerState.CONFIGURED)) {
                requireSame(peer, primary, multiRail);
                lock(peer, lock);
                return;
            }
            requireUnlocked(peer, primary);
            requireNoGateway(peer);
            configure(peers.renew(peer, primary, GONE), multiRail, lock);
            return;
        }
        PeerNi created = peers.findOrCreate(primary, null);
        if (created == null) {
            throw new ErrnoException(Errno.ENOMEM, full());
        }
        configure(created.peer(), multiRail, lock);
    }

    /** Gives a peer that is this very node all its NIDs, unless it is configured. */
    public void join(Peer own, List<LocalNi> nis) {
        if (own.isAny(PeerState.CONFIGURED | PeerState.LOCK_PRIMARY)) {
            return;
        }
        for (LocalNi ni : nis) {
            membership.discovered(own, ni.nid());
        }
        Nid primary = nis.getFirst().nid();
        PeerNi first = peers.find(primary);
        if (first != null && first.peer() == own) {
            peers.setPrimary(own, primary);
        }
    }

    private void configure(Peer created, boolean multiRail, boolean lock) {
        created.set(PeerState.CONFIGURED | (multiRail ? PeerState.MULTI_RAIL : 0));
        lock(created, lock);
    }

    private static void requireNid(Nid nid) {
        if (nid.isAny()) {
            throw new ErrnoException(Errno.EINVAL, "a peer needs a NID, not the wildcard");
        }
    }

    private static void requirePeer(Nid nid) {
        requireNid(nid);
        requireNode(nid);
    }

    /**
     * Refuses a NID by which nobody can be called. The loopback NID may be that of a peer, as with Lustre (spec 12
     * §2.4).
     *
     * @throws ErrnoException EINVAL if no node can have it
     */
    public static void requireNode(Nid nid) {
        String why = nid.isLoopback() ? null : nid.whyNotCalled();
        if (why != null) {
            throw new ErrnoException(Errno.EINVAL, nid + " " + why + "; expected the NID of one node");
        }
    }

    private static String full() {
        return "no room for another NID; the limit is " + PeerTable.MAX_PEER_NIS + " NIDs of peers";
    }

    private static void requireSame(Peer peer, Nid primary, boolean multiRail) {
        if (!peer.primaryNid.equals(primary)) {
            throw new ErrnoException(
                    Errno.EEXIST, primary + " is configured as a NID of peer " + peer + "; delete it there first");
        }
        requireMultiRail(peer, multiRail);
    }

    private static void requireMultiRail(Peer peer, boolean multiRail) {
        if (peer.isMultiRail() != multiRail) {
            throw new ErrnoException(
                    Errno.EPERM,
                    "peer " + peer + " is configured as " + (multiRail ? "not " : "")
                            + "multi-rail; delete it to change that");
        }
    }

    private static void requireUnlocked(Peer peer, Nid primary) {
        if (!peer.is(PeerState.LOCK_PRIMARY)) {
            return;
        }
        if (peer.primaryNid.equals(primary)) {
            throw new ErrnoException(
                    Errno.EEXIST,
                    "peer " + peer + " is there already, and its primary NID is locked by an upper layer");
        }
        throw new ErrnoException(
                Errno.EALREADY,
                primary + " belongs to peer " + peer + ", whose primary NID is locked by an upper layer");
    }

    private void lock(Peer peer, boolean wanted) {
        if (wanted) {
            peers.lock(peer, peer.primaryNid);
        }
    }

    /** Gives a configured peer a NID. */
    public void addNid(Nid primary, Nid nid, boolean multiRail, int maxNids) {
        requirePeer(nid);
        Peer peer = require(primary);
        if (!peer.is(PeerState.CONFIGURED)) {
            throw new ErrnoException(
                    Errno.ENOENT, "peer " + primary + " is not configured; create it before adding " + nid);
        }
        requireMultiRail(peer, multiRail);
        extend(peer, nid, maxNids);
    }

    private void extend(Peer peer, Nid nid, int maxNids) {
        PeerNi known = peers.find(nid);
        boolean has = known != null && known.peer() == peer;
        if (!has && peer.nis().size() >= maxNids) {
            throw refusal(peer.toString(), Errno.ENOSPC, nid, maxNids);
        }
        int status = membership.configured(peer, nid);
        if (status < 0) {
            throw refusal(peer.toString(), Errno.ofStatus(status), nid, maxNids);
        }
    }

    private ErrnoException refusal(String peer, Errno errno, Nid nid, int maxNids) {
        return new ErrnoException(
                errno,
                errno == Errno.ENOSPC
                        ? "peer " + peer + " has " + maxNids + " NIDs, which is max_interfaces"
                        : "peer " + peer + ": " + explain(errno, nid));
    }

    private String explain(Errno errno, Nid nid) {
        return switch (errno) {
            case EEXIST -> nid + " belongs to peer " + peers.primaryOf(nid) + " already; a NID can not be in two peers";
            case ENOTUNIQ ->
                nid + " is its second NID on " + nid.net() + "; a peer without multi-rail has one on each net";
            default -> full();
        };
    }

    /** Makes or extends a peer. */
    public void add(Nid primary, List<Nid> nids, boolean multiRail, boolean lock, int maxNids) {
        nids.forEach(PeerConfigurator::requirePeer);
        if (nids.size() > maxNids) {
            throw new ErrnoException(
                    Errno.EINVAL, nids.size() + " NIDs for one peer; the limit is max_interfaces, " + maxNids);
        }
        requireAddition(primary, nids, multiRail, maxNids);
        create(primary, multiRail, lock);
        Peer peer = require(primary);
        nids.forEach(nid -> extend(peer, nid, maxNids));
    }

    /** Refuses a list of which a NID can not be added while everything is as it was. */
    private void requireAddition(Nid primary, List<Nid> nids, boolean multiRail, int maxNids) {
        requirePeer(primary);
        PeerNi known = peers.find(primary);
        Peer before = known == null ? null : known.peer();
        if (before != null && before.is(PeerState.CONFIGURED)) {
            requireSame(before, primary, multiRail);
        } else if (before != null) {
            requireUnlocked(before, primary);
        }
        AdditionCheck check = new AdditionCheck(peers, primary, multiRail);
        for (Nid nid : nids) {
            int status = check.add(nid, maxNids);
            if (status < 0) {
                if (before != null && before.is(PeerState.CONFIGURED)) {
                    membership.contested(before, nid);
                }
                throw refusal(primary.toString(), Errno.ofStatus(status), nid, maxNids);
            }
        }
    }

    private Peer require(Nid primary) {
        requireNid(primary);
        PeerNi known = peers.find(primary);
        if (known == null) {
            throw new ErrnoException(Errno.ENOENT, "there is no peer " + primary);
        }
        Peer peer = known.peer();
        if (!peer.primaryNid.equals(primary)) {
            throw new ErrnoException(
                    Errno.ENODEV, primary + " is a NID of peer " + peer + ", not its primary one; name that");
        }
        return peer;
    }

    /** Takes a NID from a peer. */
    public void deleteNid(Nid primary, Nid nid, boolean force) {
        Peer peer = require(primary);
        PeerNi ni = requireOf(peer, nid);
        if (!nid.equals(peer.primaryNid)) {
            take(peer, ni);
            return;
        }
        if (peer.is(PeerState.LOCK_PRIMARY) && !force) {
            throw new ErrnoException(
                    Errno.EPERM, nid + " is the locked primary NID of its peer; use force to delete it");
        }
        if (peer.nis().size() > 1) {
            throw new ErrnoException(
                    Errno.EBUSY,
                    nid + " is the primary NID of a peer that has others; delete these first, or the peer");
        }
        requireNoGateway(peer);
        peers.remove(peer, GONE);
    }

    private PeerNi requireOf(Peer peer, Nid nid) {
        requireNid(nid);
        PeerNi ni = peers.find(nid);
        if (ni == null) {
            throw new ErrnoException(Errno.ENOENT, "peer " + peer + " has no NID " + nid);
        }
        if (ni.peer() != peer) {
            throw new ErrnoException(Errno.ECHILD, nid + " is a NID of peer " + ni.peer() + ", not of " + peer);
        }
        return ni;
    }

    private void take(Peer peer, PeerNi ni) {
        peers.removeNid(ni);
        if (!peer.is(PeerState.CONFIGURED)) {
            peer.clear(PeerState.NIDS_UPTODATE);
        }
    }

    private static void requireNoGateway(Peer peer) {
        if (peer.gateway != null) {
            throw new ErrnoException(
                    Errno.EBUSY,
                    "peer " + peer + " is the gateway of " + peer.gateway.routes.size()
                            + " routes; delete these first");
        }
    }

    /** Forgets a peer. */
    public void delete(Nid primary, boolean force) {
        Peer peer = require(primary);
        requireNoGateway(peer);
        if (peer.is(PeerState.LOCK_PRIMARY) && !force) {
            // Somebody up there holds on to it: only what configuration said of it is forgotten.
            peer.clear(PeerState.CONFIGURED | PeerState.NIDS_UPTODATE);
            for (PeerNi ni : peer.nis()) {
                if (!ni.nid().equals(primary)) {
                    peers.removeNid(ni);
                }
            }
        } else {
            peers.remove(peer, GONE);
        }
    }

    /** Takes NIDs from a peer. */
    public void delete(Nid primary, List<Nid> nids, boolean force) {
        Peer peer = require(primary);
        if (nids.isEmpty() || nids.contains(primary)) {
            delete(primary, force);
            return;
        }
        List<PeerNi> all =
                nids.stream().distinct().map(nid -> requireOf(peer, nid)).toList();
        all.forEach(ni -> take(peer, ni));
    }

    /** Sets the state bits of a peer. */
    public void setState(Nid nid, int state) {
        PeerNi ni = peers.find(nid);
        if (ni == null) {
            throw new ErrnoException(Errno.ENOENT, "there is no peer with NID " + nid);
        }
        if ((state & ~PeerState.LASTING) != 0) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "peer state " + state + "; only bits of " + PeerState.LASTING
                            + " can be set, the others say what is" + " under way");
        }
        Peer peer = ni.peer();
        lock(peer, (state & PeerState.LOCK_PRIMARY) != 0);
        peer.clear(PeerState.LASTING);
        peer.set(state);
    }
}
