package org.railyard.lnet.api;

import org.railyard.lnet.nid.ProcessId;

/**
 * What a match entry is to accept (spec 10 §4.2).
 *
 * @param portal the portal, 0…63; 0 is LNet's own
 * @param initiator who may send; wildcards in NID and process id
 * @param matchBits bits that a message must have
 * @param ignoreBits bits that do not matter
 * @param front whether to search it before its equals, instead of after
 */
public record MeConfig(int portal, ProcessId initiator, long matchBits, long ignoreBits, boolean front) {
    /** Returns an entry for anybody's messages with exactly the given bits. */
    public static MeConfig of(int portal, long matchBits) {
        return new MeConfig(portal, ProcessId.ANY, matchBits, 0, false);
    }

    /** Returns an entry for anybody's messages with any bits. */
    public static MeConfig any(int portal) {
        return new MeConfig(portal, ProcessId.ANY, 0, -1L, false);
    }

    /** Returns a copy for one initiator. */
    public MeConfig withInitiator(ProcessId other) {
        return new MeConfig(portal, other, matchBits, ignoreBits, front);
    }
}
