package org.railyard.mad.transport;

/**
 * What happened so far; a snapshot.
 *
 * @param sent datagrams of requests, repeated ones too
 * @param resent repeated ones
 * @param answered requests that were answered
 * @param unanswered requests that were given up
 * @param stale answers to nothing that was asked
 * @param duplicates answers to what was answered already
 * @param mismatched answers whose attribute is not that of the request
 * @param unsolicited requests, traps and reports that came in
 * @param answersLost answers of ours that the transport did not take, or that were not received to their end
 */
public record RequestCounters(
        long sent,
        long resent,
        long answered,
        long unanswered,
        long stale,
        long duplicates,
        long mismatched,
        long unsolicited,
        long answersLost) {}
