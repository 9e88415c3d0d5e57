package org.railyard.o2iblnd.tune;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.o2iblnd.wire.ConnectionParameters;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.RejectReason;

/** How two nodes agree on queue depth and fragments: one rule for both (spec 20 §7.2, spec 22 mod-001 … mod-008). */
public final class Negotiation {
    /** Attempts that are enough for every pair of nodes: each limit can be turned down once. */
    public static final int MAX_ATTEMPTS = 3;

    private Negotiation() {}

    /**
     * What one side wants at most.
     *
     * @param era whose rules it follows
     * @param queueDepth from 1
     * @param maxFragments from 1
     * @param mapOnDemand effective map_on_demand; in old eras 0 forbids a second attempt with fewer fragments
     * @param hasPools whether it has regions that make one fragment of many; without, it can not do with fewer
     *     fragments
     */
    public record Limits(LustreRelease era, int queueDepth, int maxFragments, int mapOnDemand, boolean hasPools) {
        /** Returns the limits of a node with these tunables. */
        public static Limits of(EffectiveTunables tunables) {
            boolean pools = !tunables.era().isOld() || tunables.mapOnDemand() > 0;
            return new Limits(
                    tunables.era(),
                    tunables.offeredQueueDepth(),
                    tunables.offeredFragments(),
                    tunables.mapOnDemand(),
                    pools);
        }

        /** Returns what a node with these tunables accepts at most. */
        public static Limits accepting(EffectiveTunables tunables) {
            Limits own = of(tunables);
            return new Limits(own.era, own.queueDepth, tunables.acceptedFragments(), own.mapOnDemand, own.hasPools);
        }

        /** Returns the limits of a node of today. */
        public static Limits now(int queueDepth, int maxFragments) {
            return new Limits(LustreRelease.NOW, queueDepth, maxFragments, 1, true);
        }

        /** Returns them as they go over the wire. */
        public ConnectionParameters parameters() {
            return ConnectionParameters.of(queueDepth, maxFragments);
        }
    }

    /**
     * One request and what became of it.
     *
     * @param asked what was asked for
     * @param refused why it was turned down; null if it was accepted
     */
    public record Attempt(
            ConnectionParameters asked, @Nullable RejectReason refused) {}

    /**
     * How it ends.
     *
     * @param attempts in their order
     * @param agreed what was agreed on; null if nothing
     * @param rule which rule decided, for people
     */
    public record Outcome(List<Attempt> attempts, @Nullable ConnectionParameters agreed, String rule) {
        /** Copies the list. */
        public Outcome {
            attempts = List.copyOf(attempts);
        }
    }

    /**
     * Returns the least queue depth that messages can be sent with: in version 1 the last credit is kept for a NOOP
     * (spec 20 §7.1).
     *
     * @param version {@link Kib#V1} or {@link Kib#V2}
     */
    public static int leastQueueDepth(int version) {
        return version == Kib.V1 ? 2 : 1;
    }

    /** Tells why the passive side turns a request down; null if it accepts, with what was asked for. */
    public static @Nullable RejectReason refuse(Limits own, ConnectionParameters asked) {
        boolean equalOnly = own.era == LustreRelease.V2_7;
        if (asked.queueDepth() > own.queueDepth || equalOnly && asked.queueDepth() != own.queueDepth) {
            return RejectReason.MSG_QUEUE_SIZE;
        }
        boolean tooFew = asked.maxFragments() < own.maxFragments && (equalOnly || !own.hasPools);
        return asked.maxFragments() > own.maxFragments || tooFew ? RejectReason.RDMA_FRAGS : null;
    }

    /**
     * Returns what the active side asks for next after it was turned down; null to give up: only a smaller limit is
     * worth another attempt, so that there can be no loop.
     *
     * @param limits what the peer said of itself; null if it said nothing
     */
    public static @Nullable ConnectionParameters retry(
            Limits own, ConnectionParameters asked, RejectReason why, @Nullable ConnectionParameters limits) {
        if (limits == null || own.era == LustreRelease.V2_7) {
            return null;
        }
        return switch (why) {
            case MSG_QUEUE_SIZE ->
                limits.queueDepth() > 0 && limits.queueDepth() < asked.queueDepth()
                        ? ConnectionParameters.of(limits.queueDepth(), asked.maxFragments())
                        : null;
            case RDMA_FRAGS -> {
                boolean allowed = !own.era.isOld() || own.mapOnDemand != 0;
                yield allowed && limits.maxFragments() > 0 && limits.maxFragments() < asked.maxFragments()
                        ? ConnectionParameters.of(asked.queueDepth(), limits.maxFragments())
                        : null;
            }
            default -> null;
        };
    }

    /** Lets two nodes negotiate. */
    public static Outcome between(Limits active, Limits passive) {
        List<Attempt> attempts = new ArrayList<>();
        ConnectionParameters asked = active.parameters();
        while (true) {
            RejectReason refused = refuse(passive, asked);
            attempts.add(new Attempt(asked, refused));
            if (refused == null) {
                return new Outcome(
                        attempts, asked, attempts.size() == 1 ? "accepted as asked" : "the smaller limits count");
            }
            ConnectionParameters next = retry(active, asked, refused, passive.parameters());
            if (next == null) {
                return new Outcome(attempts, null, reason(active, passive, asked, refused));
            }
            asked = next;
        }
    }

    private static String reason(Limits active, Limits passive, ConnectionParameters asked, RejectReason refused) {
        boolean depth = refused == RejectReason.MSG_QUEUE_SIZE;
        String what = (depth ? "queue depth " : "fragments ")
                + (depth ? asked.queueDepth() : asked.maxFragments())
                + " asked, "
                + (depth ? passive.queueDepth : passive.maxFragments)
                + " there: ";
        if (active.era == LustreRelease.V2_7 || passive.era == LustreRelease.V2_7) {
            return what + "2.7 connects with equal limits only";
        }
        return what
                + (active.era.isOld() && active.mapOnDemand == 0
                        ? "without map_on_demand there is no second attempt"
                        : "the peer can not do with fewer");
    }
}
