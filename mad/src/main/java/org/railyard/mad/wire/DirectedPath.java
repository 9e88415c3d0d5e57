package org.railyard.mad.wire;

import java.util.Arrays;

/**
 * The egress ports of a directed route, from a node of our own on: none leads to that node itself (spec 40 §2.2).
 * Immutable.
 */
public final class DirectedPath {
    /** Most hops of a directed route. */
    public static final int MAX_HOPS = 63;

    /** The path to the own node. */
    public static final DirectedPath OWN_NODE = new DirectedPath(new byte[0]);

    private static final int MAX_PORT = 254;

    private final byte[] ports;

    /** 0 until somebody asks: each request looks for its target by its path. */
    private int hash;

    private DirectedPath(byte[] ports) {
        this.ports = ports;
    }

    /**
     * Returns the path over these egress ports.
     *
     * @throws IllegalArgumentException if there are more than {@value #MAX_HOPS}, or one is not 1 … 254
     */
    public static DirectedPath of(int... ports) {
        DirectedPath path = OWN_NODE;
        for (int port : ports) {
            path = path.then(port);
        }
        return path;
    }

    static DirectedPath read(DirectedRoute route) {
        byte[] ports = new byte[Math.min(route.getInt(DirectedRoute.HOP_COUNT), MAX_HOPS)];
        route.copyInitialPath(ports);
        return new DirectedPath(ports);
    }

    /** Makes a route take this path. */
    void write(DirectedRoute route) {
        route.set(DirectedRoute.HOP_COUNT, ports.length);
        route.setInitialPath(ports);
    }

    /**
     * Returns this path with one more hop. Behind a channel adapter there is none: nobody checks that here.
     *
     * @param port egress port of the node at the end of this path, 1 … 254
     * @throws IllegalArgumentException if the path has {@value #MAX_HOPS} hops already, or for another port
     */
    public DirectedPath then(int port) {
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("port " + port + " is not 1 to " + MAX_PORT);
        }
        if (ports.length == MAX_HOPS) {
            throw new IllegalArgumentException("path " + this + " has " + MAX_HOPS + " hops already");
        }
        byte[] longer = Arrays.copyOf(ports, ports.length + 1);
        longer[ports.length] = (byte) port;
        return new DirectedPath(longer);
    }

    /** Returns how many hops it has. */
    public int hops() {
        return ports.length;
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof DirectedPath path && Arrays.equals(ports, path.ports);
    }

    @Override
    public int hashCode() {
        if (hash == 0) {
            hash = Arrays.hashCode(ports);
        }
        return hash;
    }

    /** Returns the ports with commas between them, with a 0 for the own node before, as {@code smpquery} takes it. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("0");
        for (byte port : ports) {
            text.append(',').append(port & 0xFF);
        }
        return text.toString();
    }
}
