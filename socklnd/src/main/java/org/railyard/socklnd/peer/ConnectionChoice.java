package org.railyard.socklnd.peer;

import org.jspecify.annotations.Nullable;
import org.railyard.socklnd.connection.Connection;
import org.railyard.socklnd.wire.ConnectionType;
import org.railyard.socklnd.wire.ProtocolVersion;

/** Chooses the connection that a message or an ack leaves on (spec 02 §4.1). Pure. */
final class ConnectionChoice {
    private static final int NO = 0;
    private static final int MAY = 1;
    private static final int YES = 2;

    private ConnectionChoice() {}

    /**
     * Returns the connection for a message: the best suited, among equals the one with the fewest unsent bytes, then
     * the one used longest ago.
     *
     * @param payload payload, bytes
     * @param minBulk frames from this size on are bulk, bytes
     * @return null if none may carry it
     */
    static @Nullable Connection forMessage(Connection[] connections, int payload, int minBulk) {
        Connection best = null;
        int bestFit = NO;
        long bestUnsent = 0;
        for (Connection candidate : connections) {
            int fit = fit(
                    candidate.type(), candidate.version(), candidate.version().messageHeadBytes() + payload < minBulk);
            if (fit == NO || fit < bestFit) {
                continue;
            }
            long unsent = candidate.unsentBytes();
            if (best == null
                    || fit > bestFit
                    || unsent < bestUnsent
                    || unsent == bestUnsent && candidate.lastUse() < best.lastUse()) {
                best = candidate;
                bestFit = fit;
                bestUnsent = unsent;
            }
        }
        return best;
    }

    private static int fit(ConnectionType type, ProtocolVersion version, boolean small) {
        boolean old = !version.hasKeepalive();
        return switch (type) {
            case CONTROL -> small ? YES : MAY;
            case BULK_OUT -> small ? MAY : YES;
            case BULK_IN -> old ? MAY : NO;
            case ANY -> old ? YES : NO;
            case NONE -> NO;
        };
    }

    /**
     * Returns the connection for an ack of what came over {@code carrier}. That one is the last choice.
     *
     * @param nonblocking whether acks keep away from messages
     */
    static Connection forAck(Connection[] connections, Connection carrier, boolean nonblocking) {
        Connection best = carrier;
        int bestRank = rankForAck(carrier, nonblocking);
        for (Connection candidate : connections) {
            int rank = rankForAck(candidate, nonblocking);
            if (rank > bestRank) {
                best = candidate;
                bestRank = rank;
            }
        }
        return best;
    }

    private static int rankForAck(Connection connection, boolean nonblocking) {
        if (!connection.version().hasFrameHeader()) {
            return -1;
        }
        boolean apart = nonblocking && connection.version().hasKeepalive();
        return switch (connection.type()) {
            case BULK_IN -> apart ? 3 : 1;
            case CONTROL -> apart ? 1 : 3;
            case BULK_OUT -> 2;
            case ANY -> connection.version().hasKeepalive() ? 0 : 2;
            case NONE -> -1;
        };
    }

    /** Returns the connection for keepalives, or null if there is none. */
    static @Nullable Connection forKeepalive(Connection[] connections) {
        for (Connection candidate : connections) {
            if (candidate.type() == ConnectionType.BULK_IN
                    && candidate.version().hasKeepalive()) {
                return candidate;
            }
        }
        return null;
    }
}
