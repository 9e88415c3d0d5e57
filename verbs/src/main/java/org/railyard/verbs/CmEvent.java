package org.railyard.verbs;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What happened to an end of a connection.
 *
 * @param type what
 * @param reason why a request was rejected ({@link CmRejectReason}), or a positive errno; 0 if there is nothing to say
 * @param privateData what the peer said, read-only, always of the full size for its message ({@link PrivateData}),
 *     padded with zeros; empty for other events
 * @param request the new end, of {@link Type#CONNECT_REQUEST} only
 */
public record CmEvent(
        Type type,
        int reason,
        MemorySegment privateData,
        @Nullable CmId request) {
    /** What happened. */
    public enum Type {
        /** The address was found; {@link CmId#device} is known. */
        ADDRESS_RESOLVED,
        /** The address was not found. */
        ADDRESS_ERROR,
        /** The path was found; {@link CmId#path} is known. */
        ROUTE_RESOLVED,
        /** There is no path. */
        ROUTE_ERROR,
        /** Somebody wants to connect. */
        CONNECT_REQUEST,
        /** The connection could not be set up on this side. */
        CONNECT_ERROR,
        /** The peer did not answer. */
        UNREACHABLE,
        /** The peer does not want to. */
        REJECTED,
        /** The connection is up. */
        ESTABLISHED,
        /** The connection is over; the queue pair is in error. */
        DISCONNECTED,
        /** The device was taken away. */
        DEVICE_REMOVED,
        /** The number of the queue pair may be used again. */
        TIMEWAIT_EXIT
    }

    /** Makes an event that says no more than what happened. */
    public static CmEvent of(Type type) {
        return new CmEvent(type, 0, MemorySegment.NULL, null);
    }

    /** Makes an event with a reason. */
    public static CmEvent failed(Type type, int reason) {
        return new CmEvent(type, reason, MemorySegment.NULL, null);
    }
}
