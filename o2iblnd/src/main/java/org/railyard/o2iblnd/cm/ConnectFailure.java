package org.railyard.o2iblnd.cm;

import org.railyard.base.Errno;

/**
 * Why a connection could not be made.
 *
 * @param errno the reason as a number
 * @param text the reason for people
 * @param nobodyListens whether the peer's address is there but nobody listens on the port
 */
public record ConnectFailure(Errno errno, String text, boolean nobodyListens) {}
