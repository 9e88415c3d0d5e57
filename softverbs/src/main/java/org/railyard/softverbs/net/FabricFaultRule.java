package org.railyard.softverbs.net;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What happens to messages on their way, besides what links and tables do. A corrupted message is one that the receiver
 * drops: its checksum is wrong.
 *
 * @param kinds what it is about
 * @param from only what this port sends; null for all
 * @param to only what is for this port; null for all
 * @param probability that it happens to a message, 0…1
 * @param action what happens
 * @param delayNanos for {@link Action#DELAY}, ns
 */
public record FabricFaultRule(
        Set<TrafficKind> kinds,
        @Nullable FabricPort from,
        @Nullable FabricPort to,
        double probability,
        Action action,
        long delayNanos) {
    /** What can happen to a message. */
    public enum Action {
        /** It does not arrive. */
        DROP,
        /** It arrives later. */
        DELAY,
        /** It arrives twice. */
        DUPLICATE,
        /** The receiver rejects it for reason 3, no resources: only of {@link TrafficKind#CM_REQUEST}. */
        REJECT
    }

    /** Checks that there is something to do. */
    public FabricFaultRule {
        if (kinds.isEmpty() || probability < 0 || probability > 1 || delayNanos < 0) {
            throw new IllegalArgumentException("fault rule for " + kinds + " with probability " + probability
                    + " and delay " + delayNanos + " ns");
        }
        if (action == Action.REJECT && !kinds.equals(EnumSet.of(TrafficKind.CM_REQUEST))) {
            throw new IllegalArgumentException("only requests of the connection manager can be rejected, not " + kinds);
        }
        kinds = Collections.unmodifiableSet(EnumSet.copyOf(kinds));
    }

    /** Drops everything of some kinds between two ports, in one direction. */
    public static FabricFaultRule drop(Set<TrafficKind> kinds, @Nullable FabricPort from, @Nullable FabricPort to) {
        return new FabricFaultRule(kinds, from, to, 1, Action.DROP, 0);
    }

    boolean matches(TrafficKind kind, FabricPort source, FabricPort destination) {
        return kinds.contains(kind) && (from == null || from == source) && (to == null || to == destination);
    }
}
