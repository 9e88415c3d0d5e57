package org.railyard.lnet.select;

import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.Explanation;
import org.railyard.lnet.api.Explanation.Case;
import org.railyard.lnet.api.Explanation.Reason;
import org.railyard.lnet.api.Explanation.Stage;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.cpt.CptTable;
import org.railyard.lnet.model.ActiveBond;
import org.railyard.lnet.model.Gateway;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Role;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.peer.NiTable;
import org.railyard.lnet.route.RouteTable;
import org.railyard.lnet.udsp.Policy;
import org.railyard.lnet.wire.MessageType;

/**
 * Chooses the local NI and the peer NI of a message (spec 10 §8). First decides, which changes nothing and is all that
 * an explanation does; then notes the choice in the message and stamps what was chosen, so that equals take turns.
 * Allocates nothing but explanations.
 */
public final class PathSelector {
    private final NiTable nis;
    private final Function<Nid, @Nullable PeerNi> peers;
    private final CptTable cpts;
    private final Policy policy;
    private final IntSupplier currentCpu;
    private final Scope scope = new Scope();
    private final Criteria criteria;
    private final Chooser chooser;
    private final RouteChooser routeChooser;
    private final Path path = new Path();
    private final DirectPaths direct;
    private long netSeq;

    /**
     * Makes a selector.
     *
     * @param nis the local nets
     * @param peers finds peer NIs by NID
     * @param routes ways to other nets
     * @param cpts the CPU partitions
     * @param policy whose rules count messages
     * @param currentCpu tells the number of the CPU that the calling thread is on, −1 if unknown
     */
    public PathSelector(
            NiTable nis,
            Function<Nid, @Nullable PeerNi> peers,
            RouteTable routes,
            CptTable cpts,
            Policy policy,
            IntSupplier currentCpu) {
        this.nis = nis;
        this.peers = peers;
        this.cpts = cpts;
        this.policy = policy;
        this.currentCpu = currentCpu;
        this.criteria = new Criteria(cpts, scope);
        this.chooser = new Chooser(nis, criteria, scope);
        this.routeChooser = new RouteChooser(nis, peers, routes, criteria, chooser, scope);
        this.direct = new DirectPaths(nis, criteria, chooser, scope, path);
    }

    /**
     * Chooses.
     *
     * @param message has the source and target that its sender named, and on a resend what it has used
     * @param target the peer NI of that target
     * @param settings the tunables of the node
     * @return 0, EINVAL if the source is not ours, EHOSTUNREACH if no local NI reaches the peer, as a negative status
     */
    public int select(Message message, PeerNi target, Settings settings) {
        if (!direct.takeOnlyWay(message, target)) {
            decide(message, target, settings, null);
        }
        if (path.status == 0 && path.ni != null && path.peerNi != null && path.last != null) {
            note(message, path.ni, path.peerNi, path.last);
        }
        return path.status;
    }

    /**
     * Tells whether {@link #select} would choose another peer NI now than the one that a message waits for. Changes
     * nothing.
     *
     * @param message one that has a path
     * @param target the peer NI of its target
     * @param settings the tunables of the node
     */
    public boolean prefersAnother(Message message, PeerNi target, Settings settings) {
        decide(message, target, settings, null);
        return path.status == 0 && path.peerNi != null && path.peerNi != message.peerNi();
    }

    /**
     * Tells what {@link #select} would choose now, and why. Changes nothing.
     *
     * @param message what would be sent; its header has the length
     * @param target the peer NI of its target, which need not be in a table
     * @param settings the tunables of the node
     * @param now the monotonic time, ns
     */
    public Explanation explain(Message message, PeerNi target, Settings settings, long now) {
        SelectionTrace trace = new SelectionTrace(nis, criteria, scope, now);
        decide(message, target, settings, trace);
        boolean found = path.ni != null && path.peerNi != null;
        return new Explanation(
                message.path().requestedTarget(),
                message.path().requestedSource(),
                message.header().payloadLength(),
                caseOf(message, target),
                path.status,
                found && path.ni != null ? path.ni.nid() : Nid.ANY,
                found && path.peerNi != null ? path.peerNi.nid() : Nid.ANY,
                trace.steps(path.ni));
    }

    private Case caseOf(Message message, PeerNi target) {
        Nid source = message.path().requestedSource();
        boolean exact = isExact(message, target);
        if (source.isAny()) {
            boolean local = nis.netOf(target.nid()) != null;
            return local ? (exact ? Case.B1D : Case.B1C) : exact ? Case.B2D : Case.B2C;
        }
        boolean local = bondOfSource(message, target) == null ? target.nid().isOnNetOf(source) : path.route == null;
        return local ? (exact ? Case.A1D : Case.A1C) : exact ? Case.A2D : Case.A2C;
    }

    /** Tells whether the destination is that very NID and not a name of its peer. */
    private boolean isExact(Message message, PeerNi target) {
        return message.path().isExact()
                || message.role() == Role.RECOVERY_PING
                || !target.peer().isMultiRail()
                || (message.isForwarding() && !mayReplaceTarget(message, target));
    }

    /**
     * The last router delivers to the very NID in the header, unless that does not work and both ends know each other
     * by all NIDs (spec 10 §8.8).
     */
    private boolean mayReplaceTarget(Message message, PeerNi target) {
        PeerNi origin = peers.apply(message.header().srcNid());
        return origin != null
                && origin.peer().isMultiRail()
                && (!target.isUp() || target.health < LocalNi.FULL_HEALTH)
                && nis.netOf(target.nid()) != null;
    }

    private void decide(Message message, PeerNi target, Settings settings, @Nullable SelectionTrace trace) {
        boolean exact = isExact(message, target);
        path.clear();
        scope.begin(!nis.bonds().isEmpty(), settings);
        criteria.begin(settings, near(message), exact ? target : null);
        chooser.begin(message, settings, trace);
        if (isRouterCheck(message, target)) {
            checkRouter(message, target, exact, settings);
            return;
        }
        scope.leadTo(target.bond);
        if (message.isResponse()) {
            answer(message, target, settings);
        } else if (!message.path().requestedSource().isAny()) {
            fromNamedSource(message, target, settings);
        } else if (exact) {
            toExactNid(message, target, settings);
        } else if (!direct.findAnywhere(message, target.peer(), settings)) {
            toPeerViaRouter(message, target, settings);
        }
    }

    private void toPeerViaRouter(Message message, PeerNi target, Settings settings) {
        PeerNi last = routeChooser.bestLast(target.peer(), settings);
        viaRouter(message, last == null ? target : last, null, settings);
    }

    /**
     * The ping of a router check goes over the net that is to be checked; only when that fails, over any other (spec 10
     * §8.4).
     */
    private static boolean isRouterCheck(Message message, PeerNi target) {
        return target.peer().gateway != null
                && target.peer().is(PeerState.ROUTER_DISCOVERY)
                && message.header().type() == MessageType.GET
                && message.header().portal() == Wire.RESERVED_PORTAL
                && message.path().requestedSource().isAny()
                && message.role() != Role.RECOVERY_PING;
    }

    private void checkRouter(Message message, PeerNi target, boolean exact, Settings settings) {
        Gateway gateway = target.peer().gateway;
        PeerNet only = exact
                        || gateway == null
                        || gateway.checkedNet == null
                        || message.path().retries() > 0
                ? null
                : target.peer().net(gateway.checkedNet);
        if (only != null && direct.find(target.peer(), only, DirectPaths.ANYTHING, DirectPaths.ANYTHING)) {
            return;
        }
        if (exact) {
            toExactNid(message, target, settings);
        } else if (!direct.find(target.peer(), null, firstOf(message, settings), DirectPaths.ANYTHING)) {
            fail(Stage.PEER_NI, target, Reason.NO_COMMON_NET);
        }
    }

    /**
     * Returns the CPU partition of the memory of a message: what its owner said, else the one of the thread that sends.
     */
    private int near(Message message) {
        if (cpts.count() == 1) {
            return 0;
        }
        int hint = message.md() == null ? CptTable.ANY : message.md().cpt();
        return hint != CptTable.ANY ? hint : cpts.ofCpu(currentCpu.getAsInt());
    }

    private static boolean avoids(Message message, Settings settings) {
        return DirectPaths.avoids(message, settings);
    }

    private static int firstOf(Message message, Settings settings) {
        return avoids(message, settings) ? DirectPaths.FRESH : DirectPaths.ANYTHING;
    }

    /** Cases A1 and A2 where the source is in a bond: any NI of that, and of no other (spec 21 §10.1, cb-202). */
    private void fromBond(Message message, PeerNi target, ActiveBond bond, Settings settings) {
        scope.bind(bond);
        if (!direct.find(target.peer(), null, firstOf(message, settings), DirectPaths.ANYTHING)) {
            toPeerViaRouter(message, target, settings);
        }
    }

    /**
     * Returns the bond that a message with a named source leaves from; null if it leaves from that very NID. Pings try
     * out one path.
     */
    private @Nullable ActiveBond bondOfSource(Message message, PeerNi target) {
        return !scope.isOn() || isExact(message, target) || message.header().portal() == Wire.RESERVED_PORTAL
                ? null
                : nis.bonds().localOf(message.path().requestedSource());
    }

    /** Cases A1 and A2: the source is given. */
    private void fromNamedSource(Message message, PeerNi target, Settings settings) {
        ActiveBond bond = bondOfSource(message, target);
        if (bond != null) {
            fromBond(message, target, bond, settings);
            return;
        }
        LocalNi ni = nis.find(message.path().requestedSource());
        if (ni == null) {
            chooser.refuse(Stage.LOCAL_NI, message.path().requestedSource(), Reason.NOT_OURS);
            path.fail(Errno.EINVAL);
            return;
        }
        Reason reason = chooser.bar(ni);
        if (reason != null) {
            fail(Stage.LOCAL_NI, ni, reason);
            return;
        }
        if (!target.nid().isOn(ni.net())) {
            viaRouter(message, target, ni, settings);
            return;
        }
        chooser.only(Stage.LOCAL_NI, ni);
        if (isExact(message, target) || !settings.is(Tunable.SPEC_SRC_SELECT_PEER_NI)) {
            take(message, ni, target, settings);
            return;
        }
        boolean avoids = avoids(message, settings);
        chooser.avoid(false, avoids);
        PeerNi best = chooser.bestPeerNi(target.peerNet, ni);
        if (best == null && avoids) {
            chooser.beginAgain("all were used, any may be again");
            chooser.avoid(false, false);
            best = chooser.bestPeerNi(target.peerNet, ni);
            path.forgetsPeerNis = true;
        }
        if (best == null) {
            path.fail(Errno.EHOSTUNREACH);
        } else {
            path.set(ni, best);
        }
    }

    /** The destination is that very NID, and the NI is known. */
    private void take(Message message, LocalNi ni, PeerNi target, Settings settings) {
        if (!chooser.carries(ni, target.nid())) {
            fail(Stage.PEER_NI, target, Reason.FAMILY);
        } else if (isGivenUp(message, target, target, settings)) {
            fail(Stage.PEER_NI, target, Reason.UNHEALTHY);
        } else {
            chooser.only(Stage.PEER_NI, target);
            path.set(ni, target);
            path.becomesPreferred =
                    !message.isForwarding() && !target.peer().isMultiRail() && target.peerNet.preferred == null;
        }
    }

    /**
     * A message to a peer that is not multi-rail is for upper layers to send again when the next hop is not well: the
     * first attempt is the last.
     *
     * @param hop the peer NI itself, or that of the router on the way to it
     */
    private static boolean isGivenUp(Message message, PeerNi last, PeerNi hop, Settings settings) {
        return message.path().retries() > 0
                && hop.health == 0
                && !last.peer().isMultiRail()
                && settings.is(Tunable.NMR_FAIL_UNHEALTHY);
    }

    /**
     * A response goes from the NID that the request was sent to; a multi-rail peer takes it from another if need be
     * (spec 10 §12.4).
     */
    private void answer(Message message, PeerNi target, Settings settings) {
        LocalNi ni = nis.find(message.path().requestedSource());
        boolean works = ni != null
                && ni.state() != LocalNi.State.DELETING
                && (!ni.fatal || settings.is(Tunable.USE_FATAL_NI_AS_LAST_RESORT));
        boolean mayMove = target.peer().isMultiRail() && settings.is(Tunable.RESPONSE_SRC_FALLBACK);
        boolean avoids = avoids(message, settings);
        if (scope.isOn()) {
            scope.bind(nis.bonds().localOf(message.path().requestedSource()));
        }
        if (mayMove
                && works
                && avoids
                && direct.find(target.peer(), target.peerNet, DirectPaths.FRESH, DirectPaths.FRESH_NIS)) {
            return;
        }
        if (works && ni != null && target.nid().isOn(ni.net())) {
            chooser.only(Stage.LOCAL_NI, ni);
            chooser.only(Stage.PEER_NI, target);
            path.set(ni, target);
            path.forgetsNis = avoids;
            path.forgetsPeerNis = avoids;
        } else if (works && ni != null) {
            if (avoids || !routeChooser.goesBack(message, target, ni, path)) {
                // What failed on the way to a router, too, leaves from another NI if it may.
                routeChooser.choose(message, target, mayMove && avoids ? null : ni, avoids, settings, path);
            }
        } else if (mayMove && nis.netOf(target.nid()) == null) {
            routeChooser.choose(message, target, null, avoids, settings, path);
        } else if (!mayMove
                || !direct.find(target.peer(), target.peerNet, firstOf(message, settings), DirectPaths.ANYTHING)) {
            path.fail(ni == null ? Errno.EINVAL : Errno.EHOSTUNREACH);
        }
    }

    /**
     * Cases B1D and B2D: any NI, but that very NID. A peer that is not multi-rail is sent to from the NI that it knows
     * us by.
     */
    private void toExactNid(Message message, PeerNi target, Settings settings) {
        LocalNet here = nis.netOf(target.nid());
        LocalNi known = knownNi(message, target, here);
        if (known == null) {
            if (here == null) {
                viaRouter(message, target, null, settings);
                return;
            }
            LocalNi ni = chooser.bestNi(here, target);
            if (ni == null) {
                path.fail(Errno.EHOSTUNREACH);
            } else {
                take(message, ni, target, settings);
                path.becomesPreferred &= !Criteria.isPreferred(target, ni);
            }
            return;
        }
        Reason reason = chooser.bar(known);
        if (reason == null && (known.fatal || known.health == 0) && settings.is(Tunable.NMR_FAIL_UNHEALTHY)) {
            reason = Reason.UNHEALTHY;
        }
        if (reason != null) {
            fail(Stage.LOCAL_NI, known, reason);
            return;
        }
        if (here == null) {
            viaRouter(message, target, known, settings);
            return;
        }
        chooser.only(Stage.LOCAL_NI, known);
        take(message, known, target, settings);
    }

    /** Returns the NI that a peer which is not multi-rail knows us by, if that counts; null if any will do. */
    private @Nullable LocalNi knownNi(Message message, PeerNi target, @Nullable LocalNet here) {
        LocalNi known = target.peerNet.preferred;
        if (known == null
                || message.isForwarding()
                || target.peer().isMultiRail()
                || message.header().portal() == Wire.RESERVED_PORTAL
                || !Chooser.reaches(known, target.nid())) {
            return null;
        }
        if (target.pairs != null && here != null) {
            for (int i = 0; i < here.nis.size(); i++) {
                LocalNi ni = here.nis.get(i);
                // What the administrator prefers counts more than what happened to be first.
                if (Criteria.isPreferred(target, ni) && chooser.bar(ni) == null) {
                    return null;
                }
            }
        }
        return known;
    }

    /** Cases A2 and B2: the destination is on no net of ours, or not on that of the source. */
    private void viaRouter(Message message, PeerNi last, @Nullable LocalNi from, Settings settings) {
        routeChooser.choose(message, last, from, avoids(message, settings), settings, path);
        path.becomesPreferred = !message.isForwarding() && !last.peer().isMultiRail() && last.peerNet.preferred == null;
        PeerNi hop = path.status == 0 ? path.peerNi : null;
        if (hop != null && isGivenUp(message, last, hop, settings) && !isAnyWell(hop.peerNet)) {
            path.clear();
            fail(Stage.PEER_NI, hop, Reason.UNHEALTHY);
        }
    }

    /** Another NID of a router may be well that the message has used before. */
    private static boolean isAnyWell(PeerNet net) {
        for (int i = 0; i < net.nis.size(); i++) {
            if (net.nis.get(i).health > 0) {
                return true;
            }
        }
        return false;
    }

    private void fail(Stage stage, Object what, Reason reason) {
        chooser.refuse(stage, what, reason);
        path.fail(Errno.EHOSTUNREACH);
    }

    /**
     * Stamps what was chosen with the next sequence numbers, so that the least recently used is next (spec 10 §8.9).
     */
    private void note(Message message, LocalNi ni, PeerNi peerNi, PeerNi last) {
        message.path().choose(ni, peerNi, last.nid(), path.route);
        if (path.forgetsNis) {
            message.path().clearUsedNis();
        }
        if (path.forgetsPeerNis) {
            message.path().clearUsedPeerNis();
        }
        PeerNet peerNet = peerNi.peerNet;
        if (path.becomesPreferred) {
            last.peerNet.preferred = ni;
        }
        if (path.route != null) {
            path.route.seq = path.routeSeq;
        }
        if (last != peerNi) {
            long lastSeq = ++last.peer().sendSeq;
            last.peerNet.seq = lastSeq;
            last.seq = lastSeq;
        }
        long peerSeq = ++peerNi.peer().sendSeq;
        peerNet.seq = peerSeq;
        peerNi.seq = peerSeq;
        netSeq++;
        ni.localNet().seq = netSeq;
        ni.seq = netSeq;
        if (policy.isCounting()) {
            for (int i = 0; i < peerNet.nis.size(); i++) {
                PeerNi each = peerNet.nis.get(i);
                if (each.pairs != null) {
                    each.pairs.chosen(ni, each == peerNi);
                }
            }
        }
    }
}
