package org.railyard.softverbs.card;

import org.railyard.verbs.ConnectParameters;

/**
 * Whom a queue pair is connected with, and how.
 *
 * @param own the port that it sends from
 * @param remote the port of the peer
 * @param remoteQpn number of the peer's queue pair
 * @param sl service level
 * @param mtu largest packet, bytes
 * @param sendPsn number of the first message to send, which the peer chose
 * @param receivePsn number of the first message to receive, which this side chose
 * @param parameters how often to try
 */
public record SoftPeer(
        SoftPort own,
        SoftPort remote,
        int remoteQpn,
        int sl,
        int mtu,
        long sendPsn,
        long receivePsn,
        ConnectParameters parameters) {}
