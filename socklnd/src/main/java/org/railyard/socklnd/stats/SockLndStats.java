package org.railyard.socklnd.stats;

import java.util.Map;

/**
 * Counters of a transport since it was made, and how much is open now. A snapshot.
 *
 * @param connectionsOpen connections that are up
 * @param handshakesOpen handshakes under way, in both directions
 * @param peers peers known, connected or not
 * @param accepted connections that peers opened
 * @param dialled connections that this node opened
 * @param dialsFailed attempts to open one that ended in an error
 * @param closed connections closed after they were up
 * @param keepalivesSent keepalives sent
 * @param zeroCopyAcksSent zero-copy requests acknowledged
 * @param timeouts peers whose connections were closed because time ran out
 * @param refused how many callers or frames were refused, by reason
 */
public record SockLndStats(
        int connectionsOpen,
        int handshakesOpen,
        int peers,
        long accepted,
        long dialled,
        long dialsFailed,
        long closed,
        long keepalivesSent,
        long zeroCopyAcksSent,
        long timeouts,
        Map<HandshakeRefusal, Long> refused) {
    /** Copies the map. */
    public SockLndStats {
        refused = Map.copyOf(refused);
    }

    /** Returns how many callers or frames were refused for a reason. */
    public long refused(HandshakeRefusal reason) {
        return refused.getOrDefault(reason, 0L);
    }
}
