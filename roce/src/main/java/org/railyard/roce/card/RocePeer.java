package org.railyard.roce.card;

import org.railyard.roce.wire.UdpRoute;
import org.railyard.verbs.ConnectParameters;

/**
 * Whom a queue pair is connected with, and how.
 *
 * @param route route to the peer
 * @param remoteQpn number of the peer's queue pair
 * @param mtu largest payload of a packet, bytes
 * @param ackNanos how long to wait for an answer before that counts as a try, ns
 * @param sendPsn number of the first packet to send, which the peer chose
 * @param receivePsn number of the first packet to receive, which this side chose
 * @param room how much its socket has room for, KiB; 0 if it does not say
 * @param parameters how often to try
 */
public record RocePeer(
        UdpRoute route,
        int remoteQpn,
        int mtu,
        long ackNanos,
        int sendPsn,
        int receivePsn,
        int room,
        ConnectParameters parameters) {}
