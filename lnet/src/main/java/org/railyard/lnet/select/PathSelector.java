package org.railyard.lnet.select;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.Errno;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.peer.NiTable;
import org.railyard.lnet.wire.Wire;

/**
 * Chooses the local NI and the peer NI of a message to a peer on a local net (spec 10 §8.3–§8.6). Sets them in the message and stamps what it
 * chose, so that equals take turns. Allocates nothing.
 */
public final class PathSelector {
    private final NiTable nis;
    private long netSeq;

    /** Makes a selector over the local nets. */
    public PathSelector(NiTable nis) {
        this.nis = nis;
    }

    /**
     * Chooses.
     *
     * @param message has the source and target that its sender named
     * @param target the peer NI of that target
     * @return 0, EINVAL if the source is not ours, EHOSTUNREACH if no local NI reaches the peer, as a negative status
     */
    public int select(Message message, PeerNi target) {
        int status =
                message.requestedSource.isAny() ? fromAnySource(message, target) : fromNamedSource(message, target);
        if (status == 0) {
            stamp(message);
        }
        return status;
    }

    private int fromNamedSource(Message message, PeerNi target) {
        LocalNi ni = nis.find(message.requestedSource);
        if (message.response) {
            return answer(message, ni, target);
        }
        if (ni == null) {
            return Errno.EINVAL.status();
        }
        if (!ni.isUsable() || !target.nid().isOn(ni.net())) {
            return Errno.EHOSTUNREACH.status();
        }
        Peer peer = target.peer();
        boolean exact = message.exactTarget || !peer.isMultiRail();
        PeerNi best = exact ? target : bestPeerNi(target.peerNet, ni);
        if (best == null || !reaches(ni, best.nid())) {
            return Errno.EHOSTUNREACH.status();
        }
        message.ni = ni;
        message.peerNi = best;
        if (!peer.isMultiRail() && target.peerNet.preferred == null) {
            target.peerNet.preferred = ni;
        }
        return 0;
    }

    /** A response goes from the NID that the request was sent to; if that NI is gone, a multi-rail peer takes it from another (spec 10 §12.4). */
    private int answer(Message message, @Nullable LocalNi ni, PeerNi target) {
        if (ni != null && ni.canAnswer() && target.nid().isOn(ni.net())) {
            message.ni = ni;
            message.peerNi = target;
            return 0;
        }
        if (target.peer().isMultiRail() && (ni == null || !ni.canAnswer())) {
            return toMultiRail(message, target);
        }
        return ni == null ? Errno.EINVAL.status() : Errno.EHOSTUNREACH.status();
    }

    private int fromAnySource(Message message, PeerNi target) {
        return target.peer().isMultiRail() && !message.exactTarget
                ? toMultiRail(message, target)
                : toExactNid(message, target);
    }

    private int toMultiRail(Message message, PeerNi target) {
        PeerNet peerNet = bestNet(target.peer());
        LocalNet localNet = peerNet == null ? null : nis.net(peerNet.net());
        LocalNi ni = localNet == null || peerNet == null ? null : bestNi(localNet, peerNet);
        if (ni == null || peerNet == null) {
            return Errno.EHOSTUNREACH.status();
        }
        message.ni = ni;
        message.peerNi = bestPeerNi(peerNet, ni);
        return 0;
    }

    private int toExactNid(Message message, PeerNi target) {
        LocalNet localNet = nis.netOf(target.nid());
        if (localNet == null) {
            return Errno.EHOSTUNREACH.status();
        }
        boolean reserved = message.header().portal() == Wire.RESERVED_PORTAL;
        LocalNi preferred = target.peerNet.preferred;
        boolean sticks =
                preferred != null && !reserved && !target.peer().isMultiRail() && reaches(preferred, target.nid());
        LocalNi ni = sticks ? preferred : bestNi(localNet, target.nid());
        if (ni == null || !ni.isUsable()) {
            return Errno.EHOSTUNREACH.status();
        }
        if (preferred == null && !target.peer().isMultiRail()) {
            target.peerNet.preferred = ni;
        }
        message.ni = ni;
        message.peerNi = target;
        return 0;
    }

    /** Spec 10 §8.4: among the peer's nets that are ours too, by peer net health, local net health, and turn. */
    private @Nullable PeerNet bestNet(Peer peer) {
        PeerNet best = null;
        LocalNet bestLocal = null;
        for (int i = 0; i < peer.nets.size(); i++) {
            PeerNet net = peer.nets.get(i);
            LocalNet local = nis.net(net.net());
            if (local == null || bestNi(local, net) == null) {
                continue;
            }
            if (best == null || bestLocal == null || isBetter(net, local, best, bestLocal)) {
                best = net;
                bestLocal = local;
            }
        }
        return best;
    }

    private static boolean isBetter(PeerNet net, LocalNet local, PeerNet best, LocalNet bestLocal) {
        if (net.health() != best.health()) {
            return net.health() > best.health();
        }
        if (local.health() != bestLocal.health()) {
            return local.health() > bestLocal.health();
        }
        if (net.seq != best.seq) {
            return net.seq < best.seq;
        }
        return local.seq < bestLocal.seq;
    }

    /** The best NI towards any NID of a peer on a net: one of the family of at least one of these NIDs. */
    private static @Nullable LocalNi bestNi(LocalNet net, PeerNet peerNet) {
        LocalNi best = null;
        for (int i = 0; i < net.nis.size(); i++) {
            LocalNi ni = net.nis.get(i);
            if (ni.isUsable() && reachesAny(ni, peerNet) && (best == null || isBetter(ni, best))) {
                best = ni;
            }
        }
        return best;
    }

    private static boolean reachesAny(LocalNi ni, PeerNet peerNet) {
        for (int i = 0; i < peerNet.nis.size(); i++) {
            if (reaches(ni, peerNet.nis.get(i).nid())) {
                return true;
            }
        }
        return false;
    }

    /** The best NI towards one NID: of its family if there is one, else, towards a large NID, any. */
    private static @Nullable LocalNi bestNi(LocalNet net, Nid target) {
        LocalNi best = null;
        LocalNi otherFamily = null;
        for (int i = 0; i < net.nis.size(); i++) {
            LocalNi ni = net.nis.get(i);
            if (!ni.isUsable()) {
                continue;
            }
            if (ni.nid().isNid4() == target.isNid4()) {
                best = best == null || isBetter(ni, best) ? ni : best;
            } else if (reaches(ni, target)) {
                otherFamily = otherFamily == null || isBetter(ni, otherFamily) ? ni : otherFamily;
            }
        }
        return best != null ? best : otherFamily;
    }

    /** Spec 01 §6.7: a large-NID source would be cut to four bytes towards a nid4 destination; the other way round works. */
    private static boolean reaches(LocalNi ni, Nid target) {
        return ni.nid().isNid4() || !target.isNid4();
    }

    /** Spec 10 §8.5: health, credits, turn. */
    private static boolean isBetter(LocalNi ni, LocalNi best) {
        if (ni.health != best.health) {
            return ni.health > best.health;
        }
        if (ni.credits.value() != best.credits.value()) {
            return ni.credits.value() > best.credits.value();
        }
        return ni.seq < best.seq;
    }

    private static @Nullable PeerNi bestPeerNi(PeerNet net, LocalNi from) {
        PeerNi best = null;
        for (int i = 0; i < net.nis.size(); i++) {
            PeerNi ni = net.nis.get(i);
            if (reaches(from, ni.nid()) && (best == null || isBetter(ni, best))) {
                best = ni;
            }
        }
        return best;
    }

    /** Spec 10 §8.6: health, queued bytes, credits, turn. */
    private static boolean isBetter(PeerNi ni, PeerNi best) {
        if (ni.health != best.health) {
            return ni.health > best.health;
        }
        if (ni.queuedBytes != best.queuedBytes) {
            return ni.queuedBytes < best.queuedBytes;
        }
        if (ni.credits.value() != best.credits.value()) {
            return ni.credits.value() > best.credits.value();
        }
        return ni.seq < best.seq;
    }

    private void stamp(Message message) {
        PeerNi peerNi = message.peerNi;
        LocalNi ni = message.ni;
        if (peerNi != null && ni != null) {
            long peerSeq = ++peerNi.peer().sendSeq;
            peerNi.peerNet.seq = peerSeq;
            peerNi.seq = peerSeq;
            netSeq++;
            ni.localNet().seq = netSeq;
            ni.seq = netSeq;
        }
    }
}
