package org.railyard.verbs;

/**
 * Where somebody listens, or sends from: an IPv4 address and a port of the connection manager's TCP port space.
 *
 * @param ip the address, first octet in the highest bits; 0 for any
 * @param port 0 … 65535; 0 for any
 */
public record CmAddress(int ip, int port) {
    /** Checks the port. */
    public CmAddress {
        if (port < 0 || port > 0xFFFF) {
            throw new IllegalArgumentException("port " + port + ", expected 0…65535");
        }
    }

    @Override
    public String toString() {
        return (ip >>> 24) + "." + (ip >>> 16 & 0xFF) + "." + (ip >>> 8 & 0xFF) + "." + (ip & 0xFF) + ":" + port;
    }
}
