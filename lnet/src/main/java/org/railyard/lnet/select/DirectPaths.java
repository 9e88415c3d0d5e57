package org.railyard.lnet.select;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.ActiveBond;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Role;
import org.railyard.lnet.peer.NiTable;

/**
 * Finds the way of a message to a multi-rail peer on a net that both are on (spec 10 §8.4–§8.6): any NI, any NID of the
 * peer; where there are bonds, the best bond first (spec 21 §10.1, cb-202).
 */
final class DirectPaths {
    /** What a resend leaves out, from the most that can be left out to nothing at all. */
    static final int FRESH = 0;

    static final int FRESH_PEER_NIS = 1;
    static final int FRESH_NIS = 2;
    static final int ANYTHING = 3;

    private final NiTable nis;
    private final Criteria criteria;
    private final Chooser chooser;
    private final Scope scope;
    private final Path path;

    /** The bond that was found to be best, null for the default one; meaningful if {@link #bestNi} is not null. */
    private @Nullable ActiveBond bestBond;

    private @Nullable LocalNi bestNi;

    DirectPaths(NiTable nis, Criteria criteria, Chooser chooser, Scope scope, Path path) {
        this.nis = nis;
        this.criteria = criteria;
        this.chooser = chooser;
        this.scope = scope;
        this.path = path;
    }

    static boolean avoids(Message message, Settings settings) {
        return message.path().retries() > 0 && settings.is(Tunable.RESEND_AVOID_USED_PATHS);
    }

    /**
     * Takes the way to a peer that has one NID, from a node that has one NI on its net: there is nothing to compare.
     * For a message at its first attempt that may go any way.
     *
     * @param target of the message
     * @return whether that is the case, and the NI works; otherwise all that counts has to be looked at
     */
    boolean takeOnlyWay(Message message, PeerNi target) {
        Peer peer = target.peer();
        boolean any = message.role() == Role.REQUEST
                && message.path().retries() == 0
                && !message.path().isExact()
                && message.path().requestedSource().isAny()
                && peer.isMultiRail();
        if (!any
                || peer.gateway != null
                || peer.nets.size() != 1
                || !nis.bonds().isEmpty()
                || target.bond != null) {
            return false;
        }
        PeerNet net = peer.nets.getFirst();
        LocalNet here = nis.net(net.net());
        if (here == null || here.nis.size() != 1 || net.nis.size() != 1) {
            return false;
        }
        LocalNi ni = here.nis.getFirst();
        PeerNi only = net.nis.getFirst();
        if (ni.state() != LocalNi.State.ACTIVE || ni.fatal || !Chooser.reaches(ni, only.nid())) {
            return false;
        }
        path.clear();
        path.set(ni, only);
        return true;
    }

    /**
     * Finds a way from the NIs of all bonds, bond by bond: a resend first stays in the bond that it failed in.
     *
     * @return whether there is a way
     */
    boolean findAnywhere(Message message, Peer peer, Settings settings) {
        boolean avoids = avoids(message, settings);
        if (!scope.isOn() || nis.bonds().local().isEmpty()) {
            return find(peer, null, avoids ? FRESH : ANYTHING, ANYTHING);
        }
        if (!avoids) {
            return findInBest(peer, false, null, ANYTHING, ANYTHING);
        }
        ActiveBond own = nis.bondOf(message.path().failedSource());
        scope.bind(own);
        if (find(peer, null, FRESH, FRESH_NIS)) {
            return true;
        }
        chooser.beginAgain("all of " + Scope.named(own) + " were used, other bonds may be");
        chooser.avoid(true, false);
        if (findInBest(peer, true, own, FRESH, FRESH_NIS)) {
            return true;
        }
        chooser.avoid(false, false);
        if (findInBest(peer, false, null, ANYTHING, ANYTHING)) {
            path.forgetsNis = true;
            path.forgetsPeerNis = true;
            return true;
        }
        return false;
    }

    private boolean findInBest(Peer peer, boolean skips, @Nullable ActiveBond skipped, int first, int last) {
        chooseBond(peer, skips, skipped);
        if (bestNi == null) {
            return false;
        }
        scope.bind(bestBond);
        return find(peer, null, first, last);
    }

    /**
     * Chooses the bond with the best NI towards a peer or, of equal ones, the one that has more of them; of equal bonds
     * the first, and the default bond last. No turn is taken, since to the peer each bond is another node.
     *
     * @param skips whether one bond is left out
     * @param skipped which, null for the default one
     */
    private void chooseBond(Peer peer, boolean skips, @Nullable ActiveBond skipped) {
        chooser.beginBonds();
        List<ActiveBond> bonds = nis.bonds().local();
        bestNi = null;
        int bestCount = 0;
        PeerNet bestNet = null;
        for (int i = 0; i <= bonds.size(); i++) {
            ActiveBond bond = i < bonds.size() ? bonds.get(i) : null;
            if (skips && bond == skipped) {
                continue;
            }
            scope.bind(bond);
            LocalNi top = null;
            PeerNet topNet = null;
            int count = 0;
            for (int j = 0; j < peer.nets.size(); j++) {
                PeerNet net = peer.nets.get(j);
                LocalNet here = nis.net(net.net());
                for (int k = 0; here != null && k < here.nis.size(); k++) {
                    LocalNi ni = here.nis.get(k);
                    if (!chooser.mayLeave(ni, net)) {
                        continue;
                    }
                    int better = top == null || topNet == null ? 1 : criteria.compareAcross(ni, net, top, topNet);
                    count = better > 0 ? 1 : better == 0 ? count + 1 : count;
                    top = better > 0 ? ni : top;
                    topNet = better > 0 ? net : topNet;
                }
            }
            if (top == null || topNet == null) {
                chooser.excludeBond(bond);
                continue;
            }
            chooser.offerBond(bond, top, topNet, count);
            int better = bestNi == null || bestNet == null
                    ? 1
                    : criteria.compareBonds(top, topNet, count, bestNi, bestNet, bestCount);
            if (better > 0) {
                bestBond = bond;
                bestNi = top;
                bestNet = topNet;
                bestCount = count;
            }
        }
        scope.unbind();
    }

    /**
     * Finds a way from the NIs that the scope leaves. A resend leaves out what it has used, as long as something
     * remains.
     *
     * @param only the net that it has to be, null for any
     * @param first the most that is left out
     * @param last the least that is left out
     * @return whether there is a way
     */
    boolean find(Peer peer, @Nullable PeerNet only, int first, int last) {
        for (int leavesOut = first; leavesOut <= last; leavesOut++) {
            boolean freshNis = leavesOut == FRESH || leavesOut == FRESH_NIS;
            boolean freshPeerNis = leavesOut == FRESH || leavesOut == FRESH_PEER_NIS;
            if (leavesOut > first) {
                chooser.beginAgain(
                        freshPeerNis
                                ? "used local NIs may be again"
                                : freshNis ? "used peer NIs may be again" : "all were used, any may be again");
            }
            chooser.avoid(freshNis, freshPeerNis);
            PeerNet net = chooser.bestNet(peer, only);
            LocalNet here = net == null ? null : nis.net(net.net());
            LocalNi ni = net == null || here == null ? null : chooser.bestNi(here, net);
            PeerNi peerNi = net == null || ni == null ? null : chooser.bestPeerNi(net, ni);
            if (ni != null && peerNi != null) {
                path.set(ni, peerNi);
                path.forgetsNis = !freshNis && first < ANYTHING;
                path.forgetsPeerNis = !freshPeerNis && first < ANYTHING;
                return true;
            }
        }
        return false;
    }
}
