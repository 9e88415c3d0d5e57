package org.railyard.lnet.discovery;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.bond.BondTable;
import org.railyard.lnet.model.ActiveBond;
import org.railyard.lnet.model.BondTalk;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.stack.Node;

/**
 * What peers know of this node, and what they are still to be told. Without local bonds that is one number for each
 * peer. With them, a peer is told of each bond that it has talked to, over that bond, and of no other (spec 21 §10.1,
 * cb-204).
 */
public final class PushTracker {
    private final Node node;
    private final PingTarget target;

    PushTracker(Node node, PingTarget target) {
        this.node = node;
        this.target = target;
    }

    /** Tells whether a peer does not know yet what this node says of itself. */
    boolean isOwed(Peer peer) {
        node.lock.assertHeld();
        if (!target.isSegregated()) {
            return peer.acknowledgedSequence != target.sequence(null);
        }
        return owedTalks(peer) > 0;
    }

    private int owedTalks(Peer peer) {
        int owed = 0;
        for (BondTalk talk : peer.talks) {
            owed += isOwed(talk) ? 1 : 0;
        }
        return owed;
    }

    private boolean isOwed(BondTalk talk) {
        return canBeTold(talk) && talk.acknowledgedSequence != target.sequence(talk.bond);
    }

    private boolean canBeTold(BondTalk talk) {
        return !talk.postponed && target.hasNids(talk.bond);
    }

    /** Tells whether there is anything that a peer can be told, news or not. */
    boolean canBeTold(Peer peer) {
        node.lock.assertHeld();
        return !target.isSegregated() || peer.talks.stream().anyMatch(this::canBeTold);
    }

    /** Tells whether one push tells a peer all. */
    boolean isOnePushEnough(Peer peer) {
        node.lock.assertHeld();
        return !target.isSegregated() || owedTalks(peer) <= 1;
    }

    /**
     * Returns what a peer is told of next: of news, that of the bond in which it answered last; null without local
     * bonds.
     */
    @Nullable
    BondTalk next(Peer peer) {
        node.lock.assertHeld();
        if (!target.isSegregated()) {
            return null;
        }
        LocalNi last = peer.pushSource == null ? null : node.nis.find(peer.pushSource);
        BondTalk best = null;
        int bestRank = 0;
        for (BondTalk talk : peer.talks) {
            int rank = !canBeTold(talk) ? 0 : 1 + (isOwed(talk) ? 2 : 0) + (isOf(talk, last) ? 1 : 0);
            if (rank > bestRank) {
                best = talk;
                bestRank = rank;
            }
        }
        return best;
    }

    private static boolean isOf(BondTalk talk, @Nullable LocalNi ni) {
        return ni != null && ni.bond == talk.bond;
    }

    /** Tells whether an NI is one that a peer may be told from. */
    boolean isOfTalk(@Nullable BondTalk talk, LocalNi ni) {
        node.lock.assertHeld();
        return talk == null || isOf(talk, ni);
    }

    /** Returns the NI of a bond that reaches a peer best; null if none is on a net of the peer. */
    @Nullable
    LocalNi sourceTowards(Peer peer, BondTalk talk) {
        node.lock.assertHeld();
        LocalNi best = null;
        for (LocalNet net : node.nis.nets()) {
            for (LocalNi ni : net.nis) {
                boolean fits = ni.isUsable() && isOf(talk, ni) && peer.net(net.net()) != null;
                if (fits && (best == null || ni.health > best.health)) {
                    best = ni;
                }
            }
        }
        return best;
    }

    /** Returns the NI of a bond that is told of first; null if it has none that works. */
    @Nullable
    LocalNi anySource(BondTalk talk) {
        node.lock.assertHeld();
        for (LocalNi ni : node.nis.all()) {
            if (ni.isUsable() && isOf(talk, ni)) {
                return ni;
            }
        }
        return null;
    }

    /** Returns the NID of a peer on a net that is best to be told on. */
    static Nid targetOn(PeerNet net) {
        PeerNi best = net.nis.getFirst();
        for (PeerNi ni : net.nis) {
            if (ni.health > best.health) {
                best = ni;
            }
        }
        return best.nid();
    }

    /** A peer asked or answered on a NID of this node: it has talked to its bond. */
    void heard(Peer peer, Nid on) {
        node.lock.assertHeld();
        LocalNi ni = node.nis.find(on);
        if (target.isSegregated() && ni != null) {
            talkTo(peer, ni.bond).postponed = false;
        }
    }

    private static @Nullable BondTalk talkOf(Peer peer, @Nullable ActiveBond bond) {
        for (BondTalk talk : peer.talks) {
            if (talk.bond == bond) {
                return talk;
            }
        }
        return null;
    }

    private static BondTalk talkTo(Peer peer, @Nullable ActiveBond bond) {
        BondTalk talk = talkOf(peer, bond);
        if (talk == null) {
            talk = new BondTalk(bond);
            peer.talks.add(talk);
        }
        return talk;
    }

    /** A peer acknowledged a push. */
    static void acknowledged(Peer peer, @Nullable BondTalk talk, int sequence) {
        if (talk == null) {
            peer.acknowledgedSequence = sequence;
        } else {
            talk.acknowledgedSequence = sequence;
        }
    }

    /** A peer is to be told everything anew. */
    static void forgetAcknowledgements(Peer peer) {
        peer.talks.forEach(talk -> talk.acknowledgedSequence = 0);
    }

    /**
     * A push failed. Where the peer is talked to over several bonds, one that does not work does not hold up the
     * others.
     *
     * @return whether the others go on; if not, the discovery has failed
     */
    boolean postpone(Peer peer, @Nullable BondTalk talk) {
        node.lock.assertHeld();
        if (talk == null || peer.talks.stream().noneMatch(other -> other != talk && canBeTold(other))) {
            return false;
        }
        talk.postponed = true;
        return true;
    }

    /** Tells whether something that a peer is to be told was postponed. */
    static boolean isPostponed(Peer peer) {
        return peer.talks.stream().anyMatch(talk -> talk.postponed);
    }

    /** What was postponed is tried again. */
    static void resume(Peer peer) {
        peer.talks.forEach(talk -> talk.postponed = false);
    }

    /** A peer turned out to be a part of another. */
    static void handOver(Peer from, Peer to) {
        from.talks.forEach(talk -> talkTo(to, talk.bond));
    }

    /**
     * Bonds have changed, and the NIs say so already. Who was told of a bond is told what is left of it. Where nothing
     * is left on the nets of a peer, one that knew it is told of the bonds that have its NIs now, or would go on using
     * them under the old name.
     *
     * @param wereLocal whether there were local bonds before
     * @param before the bonds that NIs were in before, null for the default one
     */
    public void bondsChanged(boolean wereLocal, Map<LocalNi, @Nullable ActiveBond> before) {
        node.lock.assertHeld();
        BondTable bonds = node.nis.bonds();
        for (Peer peer : node.peers.all()) {
            if (!wereLocal && !bonds.local().isEmpty() && isAcquainted(peer)) {
                talkTo(peer, null).acknowledgedSequence = peer.acknowledgedSequence;
            }
            before.forEach((ni, bond) -> {
                if (ni.bond != bond && !hasNear(bond, peer) && talkOf(peer, bond) != null && isNear(peer, ni)) {
                    talkTo(peer, ni.bond);
                }
            });
            peer.talks.removeIf(talk -> talk.bond != null && !bonds.local().contains(talk.bond));
            if (wereLocal && bonds.local().isEmpty()) {
                peer.talks.clear();
                peer.acknowledgedSequence = 0;
            }
        }
    }

    /** Tells whether a bond has an NI that a peer may have used: it can be told of others by none. */
    private boolean hasNear(@Nullable ActiveBond bond, Peer peer) {
        return node.nis.all().stream().anyMatch(ni -> ni.bond == bond && isNear(peer, ni));
    }

    private static boolean isAcquainted(Peer peer) {
        return peer.isMultiRail() && peer.nis().stream().anyMatch(ni -> ni.everAlive);
    }

    /** Tells whether a peer may have used an NI: it is on the same net, or reached through routers only. */
    private boolean isNear(Peer peer, LocalNi ni) {
        return peer.net(ni.net()) != null || peer.nets.stream().allMatch(net -> node.nis.net(net.net()) == null);
    }
}
