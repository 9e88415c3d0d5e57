package org.railyard.lnet.select;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.Explanation.Reason;
import org.railyard.lnet.api.Explanation.Stage;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.ActiveBond;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Route;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.peer.NiTable;

/**
 * Finds the best net, local NI and peer NI for one message, among those that it may use. Says what there was to choose
 * from, if someone listens. Allocates nothing otherwise.
 */
final class Chooser {
    private final NiTable nis;
    private final Criteria criteria;
    private final Scope scope;
    private @Nullable Message message;
    private boolean fatalToo;

    /** Whether local NIs that the message has used are left out. */
    private boolean freshNis;

    /** Whether peer NIs that the message has used are left out. */
    private boolean freshPeerNis;

    /** The NID that the message is for in the end, if routers take it there. */
    private @Nullable Nid end;

    /** Why the last gateway had no NID to send to. */
    private Reason noHop = Reason.NOT_ADJACENT;

    private @Nullable SelectionTrace trace;

    Chooser(NiTable nis, Criteria criteria, Scope scope) {
        this.nis = nis;
        this.criteria = criteria;
        this.scope = scope;
    }

    /** Begins a decision. */
    void begin(Message about, Settings settings, @Nullable SelectionTrace listener) {
        message = about;
        fatalToo = settings.is(Tunable.USE_FATAL_NI_AS_LAST_RESORT);
        freshNis = false;
        freshPeerNis = false;
        end = null;
        trace = listener;
    }

    /** Sets what the message is for in the end, from now on: those that it is sent to are routers. */
    void leadTo(Nid last) {
        end = last;
    }

    /** Sets what is left out from now on. */
    void avoid(boolean usedNis, boolean usedPeerNis) {
        freshNis = usedNis;
        freshPeerNis = usedPeerNis;
        scope.leaveOut(usedNis ? message : null);
    }

    /** Returns why an NI can not be sent from, whatever the destination; null if it can. */
    @Nullable
    Reason bar(LocalNi ni) {
        if (!scope.admits(ni)) {
            return Reason.OTHER_BOND;
        }
        if (ni.state() != LocalNi.State.ACTIVE) {
            return Reason.NOT_ACTIVE;
        }
        return ni.fatal && !fatalToo ? Reason.FATAL : null;
    }

    private @Nullable Reason barOnResend(LocalNi ni) {
        return freshNis && message != null && message.path().hasUsed(ni) ? Reason.USED : bar(ni);
    }

    /** Returns why a peer NI can not be sent to from an NI; null if it can. */
    private @Nullable Reason bar(PeerNi peerNi, LocalNi from) {
        if (!carries(from, peerNi.nid())) {
            return Reason.FAMILY;
        }
        if (!scope.admits(peerNi)) {
            return Reason.OTHER_BOND;
        }
        if (!fatalToo && isDownHere(peerNi, from.localNet())) {
            return Reason.FATAL;
        }
        return freshPeerNis && message != null && message.path().hasUsed(peerNi) ? Reason.USED : null;
    }

    /**
     * Tells whether a peer NI is an NI of this node whose device has failed. What is sent to it arrives, since the
     * system answers for the address, but the upper layer's answer has to leave from there, and can not.
     */
    private static boolean isDownHere(PeerNi peerNi, LocalNet here) {
        for (int i = 0; i < here.nis.size(); i++) {
            LocalNi ni = here.nis.get(i);
            if (ni.fatal && ni.nid().equals(peerNi.nid())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Spec 01 §6(7): a large-NID source would be cut to four bytes towards a nid4 destination; the other way round
     * works.
     */
    static boolean reaches(LocalNi ni, Nid target) {
        return ni.nid().isNid4() || !target.isNid4();
    }

    /**
     * Tells whether the header of the message keeps its NIDs whole from an NI to a peer NI, and further on if that is a
     * router: between two nid4 NIDs there are four bytes for each (spec 01 §6(7)). Of two ends of different kinds one
     * has such a hop next to it, so nothing is asked between them.
     */
    boolean carries(LocalNi ni, Nid hop) {
        if (!reaches(ni, hop)) {
            return false;
        }
        if (message == null) {
            return true;
        }
        boolean forwards = message.isForwarding();
        if (end == null && !forwards) {
            return true;
        }
        Nid last = end == null ? hop : end;
        if (!forwards && !message.isResponse()) {
            return ni.nid().isNid4() == last.isNid4();
        }
        Nid source = forwards ? message.header().srcNid() : ni.nid();
        return !hop.isNid4() || (source.isNid4() && last.isNid4());
    }

    /** Returns why nothing on a net can be sent to from an NI; null if something can. */
    private @Nullable Reason bar(PeerNet net, LocalNi from) {
        Reason reason = barOnResend(from);
        if (reason != null) {
            return reason;
        }
        for (int i = 0; i < net.nis.size(); i++) {
            Reason other = bar(net.nis.get(i), from);
            if (other == null) {
                return null;
            }
            reason = reason == Reason.USED ? reason : other;
        }
        return reason;
    }

    /** Tells whether something on a net can be sent to from an NI. */
    boolean mayLeave(LocalNi ni, PeerNet net) {
        return bar(net, ni) == null;
    }

    /** Returns why a peer can not be sent to on a net; null if it can. */
    private @Nullable Reason bar(PeerNet net, LocalNet here) {
        Reason reason = Reason.NOT_ACTIVE;
        for (int i = 0; i < here.nis.size(); i++) {
            Reason other = bar(net, here.nis.get(i));
            if (other == null) {
                return null;
            }
            reason = other.ordinal() > reason.ordinal() ? other : reason;
        }
        return reason;
    }

    /**
     * Chooses among the nets of a peer (spec 10 §8.4).
     *
     * @param only the one net that it may be, null for any
     * @return null if none will do
     */
    @Nullable
    PeerNet bestNet(Peer peer, @Nullable PeerNet only) {
        begin(Stage.NET);
        PeerNet best = null;
        LocalNet bestHere = null;
        for (int i = 0; i < peer.nets.size(); i++) {
            PeerNet net = peer.nets.get(i);
            LocalNet here = nis.net(net.net());
            Reason reason = here == null ? Reason.NO_COMMON_NET : bar(net, here);
            if (only != null && net != only) {
                reason = Reason.OTHER_NET;
            }
            if (reason != null || here == null) {
                exclude(net, reason);
                continue;
            }
            offer(net);
            if (best == null || bestHere == null || criteria.compare(net, here, best, bestHere) > 0) {
                best = net;
                bestHere = here;
            }
        }
        return best;
    }

    /** Chooses the local NI towards a peer on a net (spec 10 §8.5); returns null if none will do. */
    @Nullable
    LocalNi bestNi(LocalNet here, PeerNet net) {
        begin(Stage.LOCAL_NI);
        LocalNi best = null;
        for (int i = 0; i < here.nis.size(); i++) {
            LocalNi ni = here.nis.get(i);
            best = better(ni, best, bar(net, ni));
        }
        return best;
    }

    /** Chooses the local NI towards one NID; returns null if none will do. */
    @Nullable
    LocalNi bestNi(LocalNet here, PeerNi target) {
        begin(Stage.LOCAL_NI);
        LocalNi best = null;
        for (int i = 0; i < here.nis.size(); i++) {
            LocalNi ni = here.nis.get(i);
            Reason reason = barOnResend(ni);
            best = better(ni, best, reason != null || carries(ni, target.nid()) ? reason : Reason.FAMILY);
        }
        return best;
    }

    private @Nullable LocalNi better(LocalNi ni, @Nullable LocalNi best, @Nullable Reason reason) {
        if (reason != null) {
            exclude(ni, reason);
            return best;
        }
        offer(ni);
        return best == null || criteria.compare(ni, best) > 0 ? ni : best;
    }

    /** Chooses the peer NI on a net (spec 10 §8.6); returns null if none will do. */
    @Nullable
    PeerNi bestPeerNi(PeerNet net, LocalNi from) {
        begin(Stage.PEER_NI);
        PeerNi best = null;
        for (int i = 0; i < net.nis.size(); i++) {
            PeerNi peerNi = net.nis.get(i);
            Reason reason = bar(peerNi, from);
            if (reason != null) {
                exclude(peerNi, reason);
                continue;
            }
            offer(peerNi);
            if (best == null || criteria.compare(peerNi, best, from) > 0) {
                best = peerNi;
            }
        }
        return best;
    }

    /**
     * Chooses the NID of a gateway to send to from an NI, or from any; returns null if none will do, then {@link
     * #noHop} says why.
     */
    @Nullable
    PeerNi bestHop(Peer gateway, @Nullable LocalNi from) {
        PeerNi best = null;
        noHop = Reason.NOT_ADJACENT;
        for (int i = 0; i < gateway.nets.size(); i++) {
            PeerNet net = gateway.nets.get(i);
            LocalNet here = nis.net(net.net());
            if (here == null || (from != null && from.localNet() != here)) {
                continue;
            }
            for (int j = 0; j < net.nis.size(); j++) {
                PeerNi hop = net.nis.get(j);
                Reason reason = from == null ? bar(hop, here) : bar(hop, from);
                if (reason != null) {
                    noHop = reason;
                } else if (best == null || criteria.compare(hop, best, from) > 0) {
                    best = hop;
                }
            }
        }
        return best;
    }

    /**
     * Returns why a peer NI can not be sent to from any NI on its net, by the reason that comes latest in the choice;
     * null if it can.
     */
    private @Nullable Reason bar(PeerNi hop, LocalNet here) {
        Reason reason = Reason.NOT_ACTIVE;
        for (int i = 0; i < here.nis.size(); i++) {
            LocalNi ni = here.nis.get(i);
            Reason other = barOnResend(ni);
            other = other == null ? bar(hop, ni) : other;
            if (other == null) {
                return null;
            }
            reason = other.ordinal() > reason.ordinal() ? other : reason;
        }
        return reason;
    }

    /** Returns why the last gateway that was asked about has no NID to send to. */
    Reason noHop() {
        return noHop;
    }

    /** Begins the choice of a bond. */
    void beginBonds() {
        begin(Stage.BOND);
    }

    /** Says that a bond can be used, and what it has to offer. */
    void offerBond(@Nullable ActiveBond bond, LocalNi best, PeerNet net, int count) {
        if (trace != null) {
            trace.offer(new SelectionTrace.Offer(bond, best, net, count));
        }
    }

    /** Says that a bond has nothing to offer. */
    void excludeBond(@Nullable ActiveBond bond) {
        if (trace != null) {
            trace.exclude(Scope.named(bond), Reason.NO_NI_OF_BOND);
        }
    }

    /** Begins the choice of a route. */
    void beginRoutes() {
        begin(Stage.ROUTE);
    }

    /** Says that a route can be used, and by which NID of its gateway. */
    void offerRoute(Route route, PeerNi hop, PeerNi last) {
        if (trace != null) {
            trace.offer(new SelectionTrace.Way(route, hop, last));
        }
    }

    /** Says why a route can not be used. */
    void excludeRoute(Route route, int place, int count, Reason reason) {
        if (trace != null) {
            trace.exclude(route, place, count, reason);
        }
    }

    /** Says that there was nothing to choose for a stage. */
    void only(Stage stage, Object taken) {
        begin(stage);
        offer(taken);
    }

    /** Says why the only one for a stage will not do. */
    void refuse(Stage stage, Object what, Reason reason) {
        begin(stage);
        exclude(what, reason);
    }

    /** Says that a decision begins again, with more to choose from. */
    void beginAgain(String note) {
        if (trace != null) {
            trace.beginAgain(note);
        }
    }

    private void begin(Stage stage) {
        if (trace != null) {
            trace.begin(stage);
        }
    }

    private void offer(Object candidate) {
        if (trace != null) {
            trace.offer(candidate);
        }
    }

    private void exclude(Object what, @Nullable Reason reason) {
        if (trace != null && reason != null) {
            trace.exclude(what, reason);
        }
    }
}
