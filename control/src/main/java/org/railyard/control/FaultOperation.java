package org.railyard.control;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules that make things go wrong on purpose (spec 12 §2.6, 10 §18). {@code kind} is {@code drop} or {@code delay}. */
public sealed interface FaultOperation extends Operation {
    /**
     * Adds a rule.
     *
     * @param kind what it does
     * @param source source NID; {@code 255.255.255.255@net} for all of a net, {@code *} for all
     * @param dest destination NID, in the same way
     * @param rate one message in so many, or
     * @param interval one message in so many seconds
     * @param portals portals that are hit; none for all
     * @param messages message types that are hit; none for all
     * @param localNid NID that received the message; absent if it does not matter
     * @param healthErrors drop: fail on sending with one of these
     * @param random drop: by chance within the interval
     * @param dropAll drop: all that match
     * @param latency delay: s
     */
    record Add(
            String kind,
            @Nullable String source,
            @Nullable String dest,
            @Nullable Integer rate,
            @Nullable Integer interval,
            List<String> portals,
            List<String> messages,
            @Nullable String localNid,
            List<String> healthErrors,
            boolean random,
            boolean dropAll,
            @Nullable Integer latency)
            implements FaultOperation, Action {
        /** Copies the lists. */
        public Add {
            portals = List.copyOf(portals);
            messages = List.copyOf(messages);
            healthErrors = List.copyOf(healthErrors);
        }
    }

    /**
     * Deletes the rules made with a source and a destination, or all.
     *
     * @param kind of this kind
     * @param source as the rule was made
     * @param dest as the rule was made
     * @param all all of the kind
     */
    record Delete(
            String kind, @Nullable String source, @Nullable String dest, boolean all)
            implements FaultOperation, Action {}

    /** Takes the counters of the rules of a kind to 0. */
    record Reset(String kind) implements FaultOperation, Action {}

    /** Shows the rules of a kind with their counters. */
    record Show(String kind) implements FaultOperation, Query {}
}
