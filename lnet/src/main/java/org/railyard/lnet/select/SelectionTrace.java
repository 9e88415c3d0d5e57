package org.railyard.lnet.select;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.Explanation.Candidate;
import org.railyard.lnet.api.Explanation.Criterion;
import org.railyard.lnet.api.Explanation.Excluded;
import org.railyard.lnet.api.Explanation.Reason;
import org.railyard.lnet.api.Explanation.Stage;
import org.railyard.lnet.api.Explanation.Step;
import org.railyard.lnet.model.ActiveBond;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Route;
import org.railyard.lnet.peer.NiTable;

/** Listens to a decision and writes down what there was to choose from. Ranks it by the very criteria that decide. */
final class SelectionTrace {
    private static final class Round {
        final Stage stage;
        final String note;
        final List<Object> candidates = new ArrayList<>();
        final List<Excluded> excluded = new ArrayList<>();

        Round(Stage stage, String note) {
            this.stage = stage;
            this.note = note;
        }
    }

    private final NiTable nis;
    private final Criteria criteria;
    private final Scope scope;
    private final List<Round> rounds = new ArrayList<>();
    private @Nullable Round current;
    private String note = "";

    /** A route that can be used, with the NID of its gateway, and the NID that it would lead to. */
    record Way(Route route, PeerNi hop, PeerNi last) {}

    /** A bond with its best NI, towards a net of the peer, and how many it has that are as good. */
    record Offer(@Nullable ActiveBond bond, LocalNi best, PeerNet net, int count) {}

    private static final long SECOND = 1_000_000_000L;

    private final long now;

    SelectionTrace(NiTable nis, Criteria criteria, Scope scope, long now) {
        this.scope = scope;
        this.now = now;
        this.nis = nis;
        this.criteria = criteria;
    }

    void begin(Stage stage) {
        current = new Round(stage, note);
        note = "";
        rounds.add(current);
    }

    void beginAgain(String why) {
        note = why;
    }

    void offer(Object candidate) {
        if (current != null) {
            current.candidates.add(candidate);
        }
    }

    void exclude(Object what, Reason reason) {
        if (current != null) {
            current.excluded.add(new Excluded(name(what), reason, detail(what, reason)));
        }
    }

    private String detail(Object what, Reason reason) {
        if (reason != Reason.OTHER_BOND) {
            return "";
        }
        return switch (what) {
            case LocalNi ni -> scope.refusalOf(ni);
            case PeerNi ni -> scope.refusalOf(ni);
            default -> "";
        };
    }

    void exclude(Route route, int place, int count, Reason reason) {
        if (current == null) {
            return;
        }
        String since = switch (reason) {
            case GATEWAY_DOWN -> " for " + (now - route.gateway.changed()) / SECOND + " s";
            case ROUTE_DOWN, GATEWAY_NEAR_DOWN, GATEWAY_FAR_DOWN, ROUTING_OFF ->
                route.isUp() ? "" : " for " + (now - route.changed()) / SECOND + " s";
            default -> "";
        };
        String detail = "route " + (place + 1) + " of " + count + since;
        current.excluded.add(new Excluded(route.toString(), reason, detail));
    }

    /**
     * Returns the steps.
     *
     * @param from the local NI that was chosen, null if none was
     */
    List<Step> steps(@Nullable LocalNi from) {
        List<Step> steps = new ArrayList<>();
        for (Round round : rounds) {
            steps.add(new Step(round.stage, ranked(round, from), round.excluded, round.note));
        }
        return steps;
    }

    private List<Candidate> ranked(Round round, @Nullable LocalNi from) {
        List<Object> order = new ArrayList<>(round.candidates);
        if (round.stage == Stage.ROUTE) {
            // Of equal routes the last is taken.
            Collections.reverse(order);
        }
        order.sort((one, other) -> -compare(one, other, from));
        List<Candidate> ranked = new ArrayList<>();
        Object before = null;
        for (Object each : order) {
            Criterion behind = before == null ? Criterion.ORDER : Criteria.decided(compare(before, each, from));
            ranked.add(new Candidate(name(each), figures(each, from), behind));
            before = each;
        }
        return ranked;
    }

    private int compare(Object one, Object other, @Nullable LocalNi from) {
        if (one instanceof LocalNi ni && other instanceof LocalNi otherNi) {
            return criteria.compare(ni, otherNi);
        }
        if (one instanceof PeerNi peerNi && other instanceof PeerNi otherPeerNi && from != null) {
            return criteria.compare(peerNi, otherPeerNi, from);
        }
        if (one instanceof Way way && other instanceof Way otherWay) {
            return criteria.compare(way.route, way.hop, otherWay.route, otherWay.hop, way.last);
        }
        if (one instanceof Offer offer && other instanceof Offer otherOffer) {
            return criteria.compareBonds(
                    offer.best, offer.net, offer.count, otherOffer.best, otherOffer.net, otherOffer.count);
        }
        if (one instanceof PeerNet net && other instanceof PeerNet otherNet) {
            LocalNet here = nis.net(net.net());
            LocalNet otherHere = nis.net(otherNet.net());
            return here == null || otherHere == null ? 0 : criteria.compare(net, here, otherNet, otherHere);
        }
        return 0;
    }

    private static String name(Object what) {
        return switch (what) {
            case PeerNet net -> net.net().toString();
            case Way way -> way.route.toString();
            case Offer offer -> Scope.named(offer.bond);
            default -> what.toString();
        };
    }

    private String figures(Object candidate, @Nullable LocalNi from) {
        return switch (candidate) {
            case LocalNi ni ->
                String.format(
                        Locale.ROOT,
                        "health %d%s, priority %s, NUMA distance %d, credits %d, last choice %d",
                        ni.health,
                        ni.fatal ? " (fatal error)" : "",
                        priority(ni.priority),
                        criteria.distance(ni),
                        ni.credits.value(),
                        ni.seq);
            case PeerNi ni ->
                String.format(
                        Locale.ROOT,
                        "health %d, priority %s%s, queued bytes %d, credits %d, last choice %d",
                        ni.health,
                        priority(ni.priority),
                        from != null && Criteria.isPreferred(ni, from) ? ", preferred" : "",
                        ni.queuedBytes,
                        ni.credits.value(),
                        ni.seq);
            case PeerNet net -> figures(net);
            case Way way -> figures(way);
            case Offer offer ->
                String.format(
                        Locale.ROOT, "best NI %s, %d as good; %s", offer.best, offer.count, figures(offer.best, from));
            default -> "";
        };
    }

    private static String figures(Way way) {
        return String.format(
                Locale.ROOT,
                "priority %d, hops %d%s; to %s with health %d, queued bytes %d, credits %d; last choice %d",
                way.route.priority(),
                way.route.distance(),
                Criteria.prefers(way.last, way.route) ? ", preferred" : "",
                way.hop,
                way.hop.health,
                way.hop.queuedBytes,
                way.hop.credits.value(),
                way.route.seq);
    }

    private String figures(PeerNet net) {
        LocalNet here = nis.net(net.net());
        String peer = String.format(
                Locale.ROOT, "health %d, priority %s, last choice %d", net.health(), priority(net.priority), net.seq);
        return here == null
                ? peer
                : peer
                        + String.format(
                                Locale.ROOT,
                                "; here health %d, priority %s, last choice %d",
                                here.health(),
                                priority(here.priority),
                                here.seq);
    }

    private static String priority(int priority) {
        return priority == LocalNet.NO_PRIORITY ? "none" : Integer.toUnsignedString(priority);
    }
}
