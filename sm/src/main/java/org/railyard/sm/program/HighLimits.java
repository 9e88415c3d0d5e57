package org.railyard.sm.program;

import org.railyard.fabric.model.NodeType;

/**
 * VLHighLimit by kind of port: what the high table may send while the low one waits, in units of 4 KiB; 0 is one
 * packet, 255 no limit.
 *
 * @param switches of ports of switches with a cable
 * @param cas of CAs
 * @param routers of routers
 */
public record HighLimits(int switches, int cas, int routers) {
    /** Returns the same for all. */
    public static HighLimits all(int limit) {
        return new HighLimits(limit, limit, limit);
    }

    /** Returns that of ports of a kind of nodes. */
    public int of(NodeType type) {
        return switch (type) {
            case SWITCH -> switches;
            case CA -> cas;
            case ROUTER -> routers;
        };
    }
}
