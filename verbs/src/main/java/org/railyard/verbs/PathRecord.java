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
public record PathRecord(int sourceLid, int destinationLid, int sl, int mtu, long linkRate) {}
