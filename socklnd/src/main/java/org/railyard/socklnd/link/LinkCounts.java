package org.railyard.socklnd.link;

/**
 * What a device has counted since it was made.
 *
 * @param frames frames sent and received
 * @param errors frames that it could not send or receive, such as those with a wrong checksum
 */
public record LinkCounts(long frames, long errors) {}
