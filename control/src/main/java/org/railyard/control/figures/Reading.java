package org.railyard.control.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counters of a node at one moment.
 *
 * @param nanos the node's time, ns; only differences mean something
 * @param nis its NIs
 * @param peerNis NIs of its peers
 * @param more how many NIs of peers were left out
 */
public record Reading(long nanos, List<Counters> nis, List<Counters> peerNis, long more) {
    /** Copies the lists. */
    public Reading {
        nis = List.copyOf(nis);
        peerNis = List.copyOf(peerNis);
    }

    /**
     * One NI.
     *
     * @param nid its NID
     * @param of its device; of a peer, the peer's primary NID
     * @param state how it does, in one word
     * @param health 0…1000
     * @param credits send credits now; below 0 that many messages wait
     * @param maxCredits send credits at rest
     * @param minCredits fewest send credits there were
     * @param queued bytes that hold or wait for credits
     * @param sent messages sent
     * @param received messages received
     * @param dropped messages dropped
     * @param sentBytes payload sent
     * @param receivedBytes payload received
     * @param resends messages sent again
     * @param timeouts messages that waited too long
     */
    public record Counters(
            String nid,
            String of,
            String state,
            long health,
            long credits,
            long maxCredits,
            long minCredits,
            long queued,
            long sent,
            long received,
            long dropped,
            long sentBytes,
            long receivedBytes,
            long resends,
            long timeouts) {}

    /**
     * Reads the answer of a node.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static Reading of(Map<?, ?> document) {
        if (!(document.get("sample") instanceof Map<?, ?> sample)) {
            throw new IllegalArgumentException("an answer without figures: " + document.keySet());
        }
        return new Reading(
                number(sample, "time"),
                counters(sample.get("nis")),
                counters(sample.get("peer nis")),
                number(sample, "more peer nis"));
    }

    private static List<Counters> counters(@Nullable Object listed) {
        List<Counters> all = new ArrayList<>();
        if (listed instanceof List<?> list) {
            for (Object each : list) {
                if (each instanceof Map<?, ?> ni) {
                    all.add(counters(ni));
                }
            }
        }
        return all;
    }

    private static Counters counters(Map<?, ?> ni) {
        return new Counters(
                String.valueOf(ni.get("nid")),
                String.valueOf(ni.get("of")),
                String.valueOf(ni.get("state")),
                number(ni, "health"),
                number(ni, "credits"),
                number(ni, "max_credits"),
                number(ni, "min_credits"),
                number(ni, "queued"),
                number(ni, "sent"),
                number(ni, "received"),
                number(ni, "dropped"),
                number(ni, "sent_bytes"),
                number(ni, "received_bytes"),
                number(ni, "resends"),
                number(ni, "timeouts"));
    }

    private static long number(Map<?, ?> of, String key) {
        return of.get(key) instanceof Number number ? number.longValue() : 0;
    }
}
