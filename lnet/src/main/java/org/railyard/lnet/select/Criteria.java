package org.railyard.lnet.select;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.BondPolicy;
import org.railyard.lnet.api.Explanation.Criterion;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.cpt.CptTable;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Pairs;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.model.Route;

/**
 * The criteria of selection, in their order (spec 10 §8.4–§8.6). Each comparison says which of two is better and what
 * decided: above 0 the first, below 0 the second, and {@link #decided} turns the number into the criterion; 0 if they
 * are equal. Allocates nothing.
 */
final class Criteria {
    private static final Criterion[] ALL = Criterion.values();

    private final CptTable cpts;
    private final Scope scope;
    private boolean policyFirst;
    private boolean byQueuedBytes;
    private int numaRange;
    private int memoryCpt;
    private @Nullable PeerNi exact;
    private boolean heedsPairs;

    Criteria(CptTable cpts, Scope scope) {
        this.cpts = cpts;
        this.scope = scope;
    }

    /**
     * Sets what the comparisons of one decision depend on.
     *
     * @param near the CPU partition of the memory, {@link CptTable#ANY} if unknown
     * @param only the peer NI that the message must go to, null if that is open
     */
    void begin(Settings settings, int near, @Nullable PeerNi only) {
        policyFirst = settings.is(Tunable.UDSP_BEFORE_HEALTH);
        byQueuedBytes = settings.is(Tunable.PEER_NI_USE_TXQNOB);
        numaRange = settings.get(Tunable.NUMA_RANGE);
        memoryCpt = near;
        exact = only;
        heedsPairs = only != null && only.pairs != null && !only.peer().isMultiRail();
    }

    /** The NI is chosen towards a NID of a gateway, whatever the destination is. */
    void towards(PeerNi hop) {
        exact = hop;
        heedsPairs = hop.pairs != null;
    }

    /** Returns what decided a comparison. */
    static Criterion decided(int comparison) {
        return comparison == 0 ? Criterion.ORDER : ALL[Math.abs(comparison) - 1];
    }

    /** The higher the better. */
    private static int higher(long one, long other, Criterion criterion) {
        if (one == other) {
            return 0;
        }
        return one > other ? criterion.ordinal() + 1 : -criterion.ordinal() - 1;
    }

    /** The lower the better. */
    private static int lower(long one, long other, Criterion criterion) {
        return -higher(one, other, criterion);
    }

    private static int priority(int one, int other, Criterion criterion) {
        return lower(Integer.toUnsignedLong(one), Integer.toUnsignedLong(other), criterion);
    }

    /** Compares two nets of a peer, each with the local net of the same name (spec 10 §8.4). */
    int compare(PeerNet one, LocalNet oneHere, PeerNet other, LocalNet otherHere) {
        int health = higher(scope.health(one), scope.health(other), Criterion.HEALTH);
        int priority = priority(one.priority, other.priority, Criterion.PRIORITY);
        int decided = inOrder(health, priority);
        if (decided == 0) {
            health = higher(scope.health(oneHere), scope.health(otherHere), Criterion.LOCAL_HEALTH);
            priority = priority(oneHere.priority, otherHere.priority, Criterion.LOCAL_PRIORITY);
            decided = inOrder(health, priority);
        }
        if (decided == 0) {
            decided = byPolicy(oneHere, otherHere);
        }
        if (decided == 0) {
            decided = byPolicy(one, other);
        }
        if (decided == 0) {
            decided = lower(one.seq, other.seq, Criterion.TURN);
        }
        return decided != 0 ? decided : lower(oneHere.seq, otherHere.seq, Criterion.LOCAL_TURN);
    }

    /** Compares two local nets by the policy of the bond that counts. */
    private int byPolicy(LocalNet one, LocalNet other) {
        BondPolicy policy = scope.localPolicy();
        if (policy == BondPolicy.BALANCED) {
            return 0;
        }
        LocalNi next = scope.next(one, policy == BondPolicy.ORDERED);
        LocalNi otherNext = scope.next(other, policy == BondPolicy.ORDERED);
        if (next == null || otherNext == null) {
            // Health would have decided if one of them had any.
            return 0;
        }
        return byPolicy(policy, next.bondPlace, otherNext.bondPlace, next.seq, otherNext.seq);
    }

    /** Compares two nets of a peer by the policy of the remote bond that counts. */
    private int byPolicy(PeerNet one, PeerNet other) {
        BondPolicy policy = scope.remotePolicy();
        if (policy == BondPolicy.BALANCED) {
            return 0;
        }
        PeerNi next = scope.next(one, policy == BondPolicy.ORDERED);
        PeerNi otherNext = scope.next(other, policy == BondPolicy.ORDERED);
        if (next == null || otherNext == null) {
            // Health would have decided if one of them had any.
            return 0;
        }
        return byPolicy(policy, next.bondPlace, otherNext.bondPlace, next.seq, otherNext.seq);
    }

    private static int byPolicy(BondPolicy policy, int place, int otherPlace, long seq, long otherSeq) {
        return switch (policy) {
            case ORDERED -> lower(place, otherPlace, Criterion.PLACE);
            case ROUND_ROBIN -> lower(seq, otherSeq, Criterion.TURN);
            case BALANCED, DEFAULT -> 0;
        };
    }

    /**
     * Compares two NIs by what does not change with each message, each towards a net of the peer: working devices
     * first, then what selection rules say, then health, then distance (spec 21 §10.1, cb-203).
     */
    int compareAcross(LocalNi one, PeerNet oneNet, LocalNi other, PeerNet otherNet) {
        int decided = lower(one.fatal ? 1 : 0, other.fatal ? 1 : 0, Criterion.FATAL);
        if (decided == 0) {
            decided = priority(one.localNet().priority, other.localNet().priority, Criterion.LOCAL_PRIORITY);
        }
        if (decided == 0) {
            decided = priority(one.priority, other.priority, Criterion.PRIORITY);
        }
        if (decided == 0) {
            decided = priority(oneNet.priority, otherNet.priority, Criterion.PRIORITY);
        }
        if (decided == 0) {
            decided = higher(scope.health(oneNet), scope.health(otherNet), Criterion.HEALTH);
        }
        if (decided == 0) {
            decided = higher(one.health, other.health, Criterion.LOCAL_HEALTH);
        }
        return decided != 0 ? decided : lower(distance(one), distance(other), Criterion.DISTANCE);
    }

    /** Compares two bonds, each by its best NI and how many it has that are as good. */
    int compareBonds(LocalNi one, PeerNet oneNet, int count, LocalNi other, PeerNet otherNet, int otherCount) {
        int decided = compareAcross(one, oneNet, other, otherNet);
        return decided != 0 ? decided : higher(count, otherCount, Criterion.NUMBER);
    }

    /** Compares two nets of a peer that are behind routers (spec 10 §8.7). */
    int compare(PeerNet one, PeerNet other) {
        int decided = inOrder(
                higher(scope.health(one), scope.health(other), Criterion.HEALTH),
                priority(one.priority, other.priority, Criterion.PRIORITY));
        return decided != 0 ? decided : lower(one.seq, other.seq, Criterion.TURN);
    }

    /**
     * Compares two routes to the net of a NID, each with the best NID of its gateway (spec 10 §8.7).
     *
     * @param last the NID that the message is for in the end
     */
    int compare(Route one, PeerNi oneHop, Route other, PeerNi otherHop, PeerNi last) {
        int decided = lower(one.gateway.suspected ? 1 : 0, other.gateway.suspected ? 1 : 0, Criterion.SUSPICION);
        if (decided == 0 && last.routers != null) {
            decided = higher(prefers(last, one) ? 1 : 0, prefers(last, other) ? 1 : 0, Criterion.ROUTER);
        }
        if (decided == 0) {
            decided = lower(one.priority(), other.priority(), Criterion.PRIORITY);
        }
        if (decided == 0) {
            decided = lower(one.distance(), other.distance(), Criterion.HOPS);
        }
        if (decided == 0) {
            decided = higher(oneHop.health, otherHop.health, Criterion.HEALTH);
        }
        if (decided == 0) {
            decided = lower(oneHop.queuedBytes, otherHop.queuedBytes, Criterion.QUEUED_BYTES);
        }
        if (decided == 0) {
            decided = higher(oneHop.credits.value(), otherHop.credits.value(), Criterion.CREDITS);
        }
        return decided != 0 ? decided : lower(one.seq, other.seq, Criterion.TURN);
    }

    /** Tells whether a selection rule prefers the gateway of a route towards a NID. */
    static boolean prefers(PeerNi last, Route route) {
        return last.routers != null && last.routers.matches(route.gateway.peer.primaryNid);
    }

    private int inOrder(int health, int priority) {
        int first = policyFirst ? priority : health;
        int second = policyFirst ? health : priority;
        return first != 0 ? first : second;
    }

    /** Compares two local NIs (spec 10 §8.5). */
    int compare(LocalNi one, LocalNi other) {
        int decided = exact == null ? 0 : compareTowards(exact, one, other);
        if (decided == 0) {
            decided = lower(one.fatal ? 1 : 0, other.fatal ? 1 : 0, Criterion.FATAL);
        }
        if (decided == 0 && heedsPairs) {
            decided = lower(rank(exact, one), rank(exact, other), Criterion.PREFERENCE);
        }
        if (decided == 0) {
            decided = inOrder(
                    higher(one.health, other.health, Criterion.HEALTH),
                    priority(one.priority, other.priority, Criterion.PRIORITY));
        }
        if (decided == 0) {
            decided = byPolicy(scope.policyFor(one, other), one.bondPlace, other.bondPlace, one.seq, other.seq);
        }
        if (decided == 0) {
            decided = lower(distance(one), distance(other), Criterion.DISTANCE);
        }
        if (decided == 0) {
            decided = higher(one.credits.value(), other.credits.value(), Criterion.CREDITS);
        }
        return decided != 0 ? decided : lower(one.seq, other.seq, Criterion.TURN);
    }

    private static int compareTowards(PeerNi target, LocalNi one, LocalNi other) {
        boolean nid4 = target.nid().isNid4();
        return higher(one.nid().isNid4() == nid4 ? 1 : 0, other.nid().isNid4() == nid4 ? 1 : 0, Criterion.FAMILY);
    }

    private static long rank(@Nullable PeerNi peerNi, LocalNi ni) {
        return peerNi == null || peerNi.pairs == null ? Pairs.NONE : peerNi.pairs.rank(ni);
    }

    /** Tells whether a selection rule prefers an NI towards a peer NI now. */
    static boolean isPreferred(PeerNi peerNi, LocalNi ni) {
        return rank(peerNi, ni) != Pairs.NONE;
    }

    /** Returns the distance that counts between the memory and an NI: those within the NUMA range are equal. */
    int distance(LocalNi ni) {
        return Math.max(numaRange, cpts.distance(memoryCpt, ni.deviceCpt));
    }

    /** Compares two peer NIs for a message that leaves from a local NI, null if that is open (spec 10 §8.6). */
    int compare(PeerNi one, PeerNi other, @Nullable LocalNi from) {
        int decided = inOrder(
                higher(one.health, other.health, Criterion.HEALTH),
                priority(one.priority, other.priority, Criterion.PRIORITY));
        if (decided == 0 && from != null && (one.pairs != null || other.pairs != null)) {
            decided = lower(rank(one, from), rank(other, from), Criterion.PREFERENCE);
        }
        if (decided == 0) {
            decided = byPolicy(scope.policyFor(one, other), one.bondPlace, other.bondPlace, one.seq, other.seq);
        }
        if (decided == 0 && byQueuedBytes) {
            decided = lower(one.queuedBytes, other.queuedBytes, Criterion.QUEUED_BYTES);
        }
        if (decided == 0) {
            decided = higher(one.credits.value(), other.credits.value(), Criterion.CREDITS);
        }
        return decided != 0 ? decided : lower(one.seq, other.seq, Criterion.TURN);
    }
}
