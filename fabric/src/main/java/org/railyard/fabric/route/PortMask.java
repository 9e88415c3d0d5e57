package org.railyard.fabric.route;

import java.util.Arrays;

/** A set of ports 0–255 of one switch in four words. Immutable. */
public final class PortMask {
    /** No port. */
    public static final PortMask EMPTY = new PortMask(new long[4]);

    private final long[] words;

    private PortMask(long[] words) {
        this.words = words;
    }

    /** Returns the set of these ports. */
    public static PortMask of(int... ports) {
        long[] words = new long[4];
        for (int port : ports) {
            if (port < 0 || port > 255) {
                throw new IllegalArgumentException("port " + port + " is not 0 to 255");
            }
            words[port >> 6] |= 1L << port;
        }
        return new PortMask(words);
    }

    /** Returns this set and one port more. */
    public PortMask with(int port) {
        long[] more = of(port).words;
        for (int i = 0; i < more.length; i++) {
            more[i] |= words[i];
        }
        return new PortMask(more);
    }

    /** Returns whether the port is in the set. */
    public boolean contains(int port) {
        return (words[port >> 6] >>> port & 1) != 0;
    }

    /** Returns the smallest port of the set from {@code from} on, or −1. */
    public int next(int from) {
        int at = from;
        while (at < 256) {
            long rest = words[at >> 6] >>> at;
            if (rest != 0) {
                return at + Long.numberOfTrailingZeros(rest);
            }
            at = (at | 63) + 1;
        }
        return -1;
    }

    /** Returns how many ports there are. */
    public int size() {
        int size = 0;
        for (long word : words) {
            size += Long.bitCount(word);
        }
        return size;
    }

    /** Returns whether there are no ports. */
    public boolean isEmpty() {
        return size() == 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PortMask mask && Arrays.equals(words, mask.words);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int port = next(0); port >= 0; port = next(port + 1)) {
            text.append(text.length() > 1 ? "," : "").append(port);
        }
        return text.append('}').toString();
    }
}
