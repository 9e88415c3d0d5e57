package org.railyard.softverbs;

/**
 * An IP address on a port (IPoIB).
 *
 * @param name for example {@code ib0}
 * @param ip first octet in the highest bits
 * @param port the port
 */
public record SoftInterface(String name, int ip, SoftPort port) {}
