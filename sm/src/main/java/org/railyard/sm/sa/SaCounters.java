package org.railyard.sm.sa;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What subnet administration did so far, and what it holds; a snapshot.
 *
 * @param answersByAttribute by AttributeID; those beyond 255, which are of no attribute of the SA, by 0
 * @param answersByStatus by status
 * @param unknownRequesters requests from LIDs or GIDs that are no end port's; not answered
 * @param wrongKeys requests with a key that is not the SA's; not answered
 * @param reports reports that were sent
 * @param reportsUnanswered reports that nobody confirmed
 * @param reportsDropped reports that were not sent, because too many others waited
 * @param groups multicast groups
 * @param memberships ports in groups, all groups together
 * @param services registered services
 * @param subscriptions subscriptions to notices
 * @param aliases alias GUIDs
 */
public record SaCounters(
        SortedMap<Integer, Long> answersByAttribute,
        SortedMap<Integer, Long> answersByStatus,
        long unknownRequesters,
        long wrongKeys,
        long reports,
        long reportsUnanswered,
        long reportsDropped,
        int groups,
        int memberships,
        int services,
        int subscriptions,
        int aliases) {
    /** Takes copies. */
    public SaCounters {
        answersByAttribute = Collections.unmodifiableSortedMap(new TreeMap<>(answersByAttribute));
        answersByStatus = Collections.unmodifiableSortedMap(new TreeMap<>(answersByStatus));
    }

    static SortedMap<Integer, Long> byIndex(long[] counts, int step) {
        SortedMap<Integer, Long> all = new TreeMap<>();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] != 0) {
                all.put(i * step, counts[i]);
            }
        }
        return all;
    }
}
