package org.railyard.lnet.peer;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.Invariant;
import org.railyard.base.host.StateLock;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.model.Gateway;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Trust;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.udsp.Policy;

/**
 * The peers, found by any of their NIDs (spec 10 §2). Keeps that a NID belongs to one peer at most, and that the
 * primary NID of a peer is one of its NIDs; {@link Membership} decides who may have which.
 */
public final class PeerTable {
    /**
     * Most NIDs of peers that are remembered. For further ones others are forgotten ({@link #makeRoom}); while none may
     * be, messages from unknown nodes are dropped.
     */
    public static final int MAX_PEER_NIS = 1 << 18;

    /** Most peers that are looked at for one to forget: with the lock held, for a message. */
    private static final int CANDIDATES = 32;

    private final StateLock lock;
    private final NiTable nis;
    private final Policy policy;
    private final int limit;
    private final Map<Nid, PeerNi> byNid = new LinkedHashMap<>();

    /** What was found last, which as a rule is looked for again; null if that is not in the table any more. */
    private @Nullable PeerNi latest;

    private final Set<Peer> peers = new LinkedHashSet<>();

    /** The same peers by their trust; those in front are looked at next when one is to be forgotten. */
    private final EnumMap<Trust, SequencedSet<Peer>> byTrust = new EnumMap<>(Trust.class);

    private final List<PeerWatcher> watchers = new ArrayList<>();
    private long locks;
    private long lookups;

    /**
     * Makes an empty table that takes credits of new peer NIs from the given local nets, and applies a policy to them.
     *
     * @param lock guards it, and all peers
     */
    public PeerTable(StateLock lock, NiTable nis, Policy policy) {
        this(lock, nis, policy, MAX_PEER_NIS);
    }

    /** Makes one with room for fewer NIDs. */
    PeerTable(StateLock lock, NiTable nis, Policy policy, int limit) {
        this.lock = lock;
        this.nis = nis;
        this.policy = policy;
        this.limit = limit;
        for (Trust trust : Trust.values()) {
            byTrust.put(trust, new LinkedHashSet<>());
        }
    }

    private SequencedSet<Peer> of(Trust trust) {
        return Objects.requireNonNull(byTrust.get(trust));
    }

    /** Tells a watcher of changes from now on. */
    public void watch(PeerWatcher watcher) {
        watchers.add(watcher);
    }

    /** Returns the peer NI with a NID, or null. */
    public @Nullable PeerNi find(Nid nid) {
        lock.assertHeld();
        return byNid.get(nid);
    }

    /** Returns the primary NID of the peer that owns a NID; the NID itself if no peer does. */
    public Nid primaryOf(Nid nid) {
        lock.assertHeld();
        PeerNi owner = byNid.get(nid);
        return owner == null ? nid : owner.peer().primaryNid;
    }

    /** Tells whether a NID is one of this node. */
    boolean isOwn(Nid nid) {
        lock.assertHeld();
        return nis.find(nid) != null;
    }

    /** Tells whether two NIDs belong to one peer. */
    public boolean isSamePeer(Nid one, Nid other) {
        lock.assertHeld();
        PeerNi owner = byNid.get(one);
        PeerNi otherOwner = byNid.get(other);
        return owner != null && otherOwner != null && owner.peer() == otherOwner.peer();
    }

    /**
     * Returns the peer NI with a NID; if there is none, makes a peer of that one NID, not multi-rail, not discovered.
     * Then another peer may be forgotten for it, though none that was looked for lately.
     *
     * @param via the local NI that received the message that made the peer known: for a peer that stays non-multi-rail
     *     it is the one to answer from; null if we are the ones who start
     * @return null at {@link #MAX_PEER_NIS}, if no peer may be forgotten
     */
    public @Nullable PeerNi findOrCreate(Nid nid, @Nullable LocalNi via) {
        lock.assertHeld();
        PeerNi before = latest;
        if (before != null && nid.equals(before.nid())) {
            before.peer().lookedFor = ++lookups;
            return before;
        }
        PeerNi known = byNid.get(nid);
        if (known != null) {
            latest = known;
            known.peer().lookedFor = ++lookups;
            return known;
        }
        if (!makeRoom(1)) {
            return null;
        }
        Peer peer = new Peer(nid);
        add(peer);
        PeerNi created = addNid(peer, nid);
        if (via != null && nid.isOn(via.net())) {
            created.peerNet.preferred = via;
        }
        return created;
    }

    private void add(Peer peer) {
        peers.add(peer);
        of(peer.trust).add(peer);
        peer.lookedFor = ++lookups;
        peer.turn = lookups;
        for (PeerWatcher watcher : watchers) {
            watcher.added(peer);
        }
    }

    /** Gives a peer a NID that no peer has. */
    PeerNi addNid(Peer peer, Nid nid) {
        lock.assertHeld();
        LocalNet local = nis.netOf(nid);
        PeerNet net = netOf(peer, nid.net());
        PeerNi created = new PeerNi(nid, net, local);
        net.nis.add(created);
        byNid.put(nid, created);
        policy.apply(created);
        nis.bonds().apply(created);
        changed(peer);
        return created;
    }

    /**
     * Moves a NID, with all that is known of it, to another peer. The primary NID of a peer moves with {@link
     * #dissolve} only.
     */
    void moveNid(PeerNi ni, Peer to) {
        lock.assertHeld();
        Peer from = ni.peer();
        leave(ni);
        ni.peerNet = netOf(to, ni.nid().net());
        ni.peerNet.nis.add(ni);
        changed(from);
        changed(to);
    }

    /** Moves a NID that is not the primary one to another peer; the one that loses it is to be asked again. */
    void takeNid(PeerNi ni, Peer to) {
        lock.assertHeld();
        Peer from = ni.peer();
        moveNid(ni, to);
        from.clear(PeerState.NIDS_UPTODATE);
        for (PeerWatcher watcher : watchers) {
            watcher.nidLost(from);
        }
    }

    /** Makes a NID that is not the primary one of its peer a peer of its own, and returns that. */
    Peer moveOut(PeerNi ni) {
        lock.assertHeld();
        Peer alone = new Peer(ni.nid());
        add(alone);
        takeNid(ni, alone);
        return alone;
    }

    /**
     * Takes a NID that is not the primary one from its peer and forgets it; messages in flight finish on the detached
     * object.
     */
    void removeNid(PeerNi ni) {
        lock.assertHeld();
        leave(ni);
        byNid.remove(ni.nid());
        latest = null;
        changed(ni.peer());
    }

    private static void leave(PeerNi ni) {
        PeerNet net = ni.peerNet;
        net.nis.remove(ni);
        if (net.nis.isEmpty()) {
            net.peer.nets.remove(net);
        }
    }

    private PeerNet netOf(Peer peer, Net net) {
        PeerNet found = peer.net(net);
        if (found == null) {
            found = new PeerNet(net, peer);
            peer.nets.add(found);
            policy.apply(found);
        }
        return found;
    }

    /** Makes a NID of a peer its primary one. */
    void setPrimary(Peer peer, Nid primary) {
        lock.assertHeld();
        if (!peer.primaryNid.equals(primary)) {
            changed(peer);
            peer.primaryNid = primary;
            changed(peer);
        }
        putPrimaryFirst(peer);
    }

    /** Puts the net of the primary NID first, and the primary NI first in it. */
    static void putPrimaryFirst(Peer peer) {
        PeerNet net = peer.net(peer.primaryNid.net());
        if (net != null) {
            peer.nets.remove(net);
            peer.nets.addFirst(net);
            for (PeerNi ni : net.nis) {
                if (ni.nid().equals(peer.primaryNid)) {
                    net.nis.remove(ni);
                    net.nis.addFirst(ni);
                    break;
                }
            }
        }
    }

    /**
     * Makes a NID of a peer its primary one and holds on to it from now on. No effect on a peer whose primary NID is
     * locked already.
     */
    public void lock(Peer peer, Nid primary) {
        lock.assertHeld();
        if (!peer.is(PeerState.LOCK_PRIMARY)) {
            setPrimary(peer, primary);
            peer.set(PeerState.LOCK_PRIMARY);
            peer.lockedAt = ++locks;
        }
    }

    /**
     * Forgets a peer and all its NIDs; messages in flight finish on the detached objects.
     *
     * @param status why, as a negative errno, for those who wait for it
     */
    public void remove(Peer peer, int status) {
        lock.assertHeld();
        forget(peer, null, status);
    }

    /**
     * Forgets a peer and makes one anew from one of its NIDs, of which nothing is known but that routes go through it,
     * if they do.
     *
     * @param status why, as a negative errno, for those who wait for it
     */
    public Peer renew(Peer peer, Nid nid, int status) {
        lock.assertHeld();
        Gateway gateway = peer.gateway;
        peer.gateway = null;
        remove(peer, status);
        PeerNi fresh = findOrCreate(nid, null);
        if (fresh == null) {
            throw new IllegalStateException("no room for " + nid + ", which was just forgotten");
        }
        if (gateway != null) {
            gateway.peer = fresh.peer();
            fresh.peer().gateway = gateway;
        }
        return fresh.peer();
    }

    /** Forgets a peer and the NIDs that it still has: what was a node turned out to be a part of another. */
    void dissolve(Peer peer, Peer into) {
        lock.assertHeld();
        forget(peer, into, 0);
    }

    private void forget(Peer peer, @Nullable Peer successor, int status) {
        for (PeerNi ni : peer.nis()) {
            leave(ni);
            byNid.remove(ni.nid());
        }
        latest = null;
        peers.remove(peer);
        of(peer.trust).remove(peer);
        peer.detached = true;
        changed(peer);
        for (PeerWatcher watcher : watchers) {
            watcher.removed(peer, successor, status);
        }
    }

    private void changed(Peer peer) {
        for (int i = 0; i < watchers.size(); i++) {
            watchers.get(i).changed(peer.primaryNid);
        }
    }

    /** A local net appeared: peer NIs on it get their credits. */
    public void netAdded(LocalNet net) {
        lock.assertHeld();
        for (PeerNi ni : byNid.values()) {
            if (ni.nid().isOn(net.net()) && ni.credits.max() == 0) {
                ni.resizeCredits(net);
            }
        }
    }

    /** A local net is not there after all: peer NIs on it have no credits. */
    public void netWithdrawn(LocalNet net) {
        lock.assertHeld();
        for (PeerNi ni : byNid.values()) {
            if (ni.nid().isOn(net.net())) {
                ni.resizeCredits(null);
            }
        }
    }

    /**
     * A local net is gone (spec 10 §2): peers that are still reached through another local net keep their NIDs on it,
     * without credits, under a primary NID that is reached unless theirs is locked; the others are forgotten.
     */
    public void netRemoved(LocalNet gone) {
        lock.assertHeld();
        netWithdrawn(gone);
        for (Peer peer : all()) {
            if (peer.net(gone.net()) == null) {
                continue;
            }
            Nid reachable = reachableNid(peer);
            if (reachable == null) {
                remove(peer, Errno.EHOSTUNREACH.status());
            } else if (peer.primaryNid.isOn(gone.net()) && !peer.is(PeerState.LOCK_PRIMARY)) {
                setPrimary(peer, reachable);
            }
        }
    }

    private @Nullable Nid reachableNid(Peer peer) {
        for (PeerNet net : peer.nets) {
            if (nis.net(net.net()) != null) {
                return net.nis.getFirst().nid();
            }
        }
        return null;
    }

    /** A local NI goes: nobody prefers it any more. */
    public void niRemoved(LocalNi gone) {
        lock.assertHeld();
        for (Peer peer : peers) {
            for (PeerNet net : peer.nets) {
                if (net.preferred == gone) {
                    net.preferred = null;
                }
            }
        }
    }

    /** Returns the peers, in order of creation. */
    public List<Peer> all() {
        lock.assertHeld();
        return new ArrayList<>(peers);
    }

    /** Returns how many peers there are. */
    public int count() {
        lock.assertHeld();
        return peers.size();
    }

    /** Says that somebody is at work on a peer, which so is not forgotten for others. */
    void use(Peer peer) {
        lock.assertHeld();
        peer.lookedFor = ++lookups;
    }

    /** Something speaks for it that there is such a peer. */
    public void trust(Peer peer, Trust trust) {
        lock.assertHeld();
        if (peer.trust.compareTo(trust) < 0) {
            boolean known = of(peer.trust).remove(peer);
            peer.trust = trust;
            if (known) {
                of(trust).add(peer);
            }
        }
    }

    /**
     * Makes room for some further NIDs, if need be by forgetting peers; returns whether there is room. Anybody on the
     * net can make peers up, one with each request: what was only named goes before what was heard, and that before
     * what answered, which stays as long as it is outnumbered. Of a kind they take turns, and the one goes that was not
     * looked for since its last turn. So a lookup pays for at most one more turn, and it takes no more than {@value
     * #CANDIDATES} turns to find one. Who is forgotten is known again with its next message.
     */
    boolean makeRoom(int nids) {
        lock.assertHeld();
        while (byNid.size() + nids > limit) {
            Peer leastMissed = leastMissed();
            if (leastMissed == null) {
                return false;
            }
            remove(leastMissed, Errno.ENOMEM.status());
        }
        return true;
    }

    private @Nullable Peer leastMissed() {
        Peer chosen = leastMissed(of(Trust.NAMED));
        if (chosen == null) {
            chosen = leastMissed(of(Trust.HEARD));
        }
        SequencedSet<Peer> answered = of(Trust.ANSWERED);
        return chosen == null && answered.size() > peers.size() / 2 ? leastMissed(answered) : chosen;
    }

    private @Nullable Peer leastMissed(SequencedSet<Peer> candidates) {
        Peer chosen = null;
        for (int i = Math.min(CANDIDATES, candidates.size()); i > 0; i--) {
            Peer peer = candidates.removeFirst();
            candidates.add(peer);
            boolean unused = peer.lookedFor <= peer.turn;
            peer.turn = lookups;
            if (lookups - peer.lookedFor < Eviction.SAFE_LOOKUPS || !Eviction.mayGo(peer)) {
                continue;
            }
            if (unused) {
                return peer;
            }
            chosen = Eviction.lessMissed(chosen, peer);
        }
        return chosen;
    }

    /**
     * Checks that peers and their NIDs name each other, and each peer.
     *
     * @throws AssertionError if it is otherwise
     */
    public void checkInvariants() {
        lock.assertHeld();
        int count = 0;
        for (Peer peer : peers) {
            peer.checkInvariants();
            Invariant.check(of(peer.trust).contains(peer), peer, "to be listed under its trust", peer.trust);
            for (PeerNet net : peer.nets) {
                for (PeerNi ni : net.nis) {
                    Invariant.check(byNid.get(ni.nid()) == ni, ni, "to be the NID of one peer", peer);
                    count++;
                }
            }
        }
        PeerNi before = latest;
        Invariant.check(
                before == null || byNid.get(before.nid()) == before,
                "the peers",
                "the one that was found last to be in their table");
        int turns = 0;
        for (SequencedSet<Peer> each : byTrust.values()) {
            turns += each.size();
        }
        Invariant.check(turns == peers.size(), "the peers", "as many as by their trust", turns, peers.size());
        Invariant.check(count == byNid.size(), "the peers", "as many NIDs as their table", count, byNid.size());
    }
}
