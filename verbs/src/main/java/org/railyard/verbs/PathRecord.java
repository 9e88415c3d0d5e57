package org.railyard.verbs;

/**
 * The way to a peer, as the subnet manager tells it. The SL must be used, or credit loops may arise.
 *
 * @param sourceLid LID of this port
 * @param destinationLid LID of the peer's port
 * @param sl service level, 0–15
 * @param mtu largest packet, bytes
 * @param linkRate of the slowest link, in units of 0.1 Mb/s
 */
public record PathRecord(int sourceLid, int destinationLid, int sl, int mtu, long linkRate) {
    /** Tells whether what is sent by one goes the way of the other: all but the rate is the same. */
    public boolean leadsLike(PathRecord other) {
        return sourceLid == other.sourceLid
                && destinationLid == other.destinationLid
                && sl == other.sl
                && mtu == other.mtu;
    }
}
