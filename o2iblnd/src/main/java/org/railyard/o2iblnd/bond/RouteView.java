package org.railyard.o2iblnd.bond;

import org.jspecify.annotations.Nullable;
import org.railyard.o2iblnd.wire.ConnectionParameters;

/**
 * A route as it is now.
 *
 * @param interfaceName of this node
 * @param localIp of the interface
 * @param remoteIp of the peer
 * @param extra whether it is none of the routes that messages take turns on: the peer has made a connection there
 * @param state where it stands
 * @param connections how many are up
 * @param protocol version of the protocol that the peer spoke last, 1 or 2; the one that it will be asked in before it
 *     did
 * @param agreed limits that both sides of the first connection keep to; null if none is up
 * @param messages that were sent over it
 * @param lastError why it failed last; null if it never did
 */
public record RouteView(
        String interfaceName,
        int localIp,
        int remoteIp,
        boolean extra,
        RouteState state,
        int connections,
        int protocol,
        @Nullable ConnectionParameters agreed,
        long messages,
        @Nullable String lastError) {}
