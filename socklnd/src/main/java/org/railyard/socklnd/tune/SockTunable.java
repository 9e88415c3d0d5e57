package org.railyard.socklnd.tune;

import static org.railyard.base.tune.TunableSpec.Flag.PER_NI;
import static org.railyard.base.tune.TunableSpec.Flag.RAILYARD_ONLY;
import static org.railyard.base.tune.TunableSpec.number;
import static org.railyard.base.tune.TunableSpec.onOff;

import org.railyard.base.tune.TunableKey;
import org.railyard.base.tune.TunableSpec;

/** Numeric tunables of the TCP transport, with the names and defaults of real nodes (spec 02 §10). */
public enum SockTunable implements TunableKey {
    SOCK_TIMEOUT(number(
                    "sock_timeout",
                    50,
                    "limit of everything that takes time; 0 means LNet's for messages and 50 s for the rest")
            .range(0, 86_400)
            .in("s")
            .with(PER_NI)),
    NSCHEDS(number("nscheds", 0, "I/O threads; 0 means as many as cores, at most 4")
            .range(0, 64)),
    NCONNDS_MAX(
            number("nconnds_max", 64, "connection attempts under way at once").range(1, 4096)),
    MIN_RECONNECT_MS(number("min_reconnectms", 1000, "first wait after a failed attempt")
            .range(1, 3_600_000)
            .in("ms")),
    MAX_RECONNECT_MS(number("max_reconnectms", 60_000, "longest wait after failed attempts")
            .range(1, 3_600_000)
            .in("ms")),
    EAGER_ACK(number("eager_ack", 0, "acknowledge at once in TCP; bit 1 control, bit 2 bulk in, bit 3 bulk out")
            .range(0, 15)),
    MIN_BULK(number("min_bulk", 1024, "frames from this size on, with headers, are bulk")
            .range(0, 1 << 21)
            .in("bytes")),
    TX_BUFFER_SIZE(number(
                    "tx_buffer_size",
                    0,
                    "send buffer of the socket; 0 leaves it to the system, within one machine it means 262144")
            .range(0, 1 << 30)
            .in("bytes")),
    RX_BUFFER_SIZE(number("rx_buffer_size", 0, "receive buffer of the socket; 0 leaves it to the system")
            .range(0, 1 << 30)
            .in("bytes")),
    NAGLE(onOff("nagle", 0, "TCP may wait for more data before it sends")),
    ROUND_ROBIN(onOff("round_robin", 1, "connections of the same type take turns")),
    KEEPALIVE(number("keepalive", 30, "silence after which a keepalive is sent; 0 means never")
            .range(0, 86_400)
            .in("s")),
    KEEPALIVE_IDLE(number("keepalive_idle", 30, "TCP keepalive: idle time before the first probe; 0 means none")
            .range(0, 32_767)
            .in("s")),
    KEEPALIVE_COUNT(number("keepalive_count", 5, "TCP keepalive: probes").range(1, 127)),
    KEEPALIVE_INTVL(number("keepalive_intvl", 5, "TCP keepalive: time between probes")
            .range(1, 32_767)
            .in("s")),
    ENABLE_CSUM(onOff("enable_csum", 0, "checksums of frames; protocol V2 only")),
    INJECT_CSUM_ERROR(onOff("inject_csum_error", 0, "send wrong checksums, for tests")),
    NONBLK_ZCACK(onOff("nonblk_zcack", 1, "zero-copy acks take the connection of bulk; 0: that of small messages")),
    ZC_MIN_PAYLOAD(number("zc_min_payload", 16_384, "payload from which zero-copy acks are asked for")
            .range(2048, 1 << 20)
            .in("bytes")),
    CONNS_PER_PEER(number("conns_per_peer", 0, "bulk connections per direction to each peer; 0 means by link speed")
            .range(0, 127)
            .with(PER_NI)),
    TOS(number("tos", -1, "IP type of service; -1 leaves it alone")
            .range(-1, 255)
            .with(PER_NI)),
    ACCEPT_PORT(number("accept_port", 988, "port to listen at and to dial for control connections; 0 listens at any")
            .range(0, 65_535)),
    ACCEPT_PORT_BULK(number("accept_port_bulk", 988, "port to listen at and to dial for bulk connections")
            .range(0, 65_535)),
    ACCEPT_BACKLOG(number("accept_backlog", 127, "connections the system keeps before they are accepted")
            .range(1, 65_535)),
    ACCEPT_TIMEOUT(number("accept_timeout", 5, "limit of a caller's connection request, and again of its hello")
            .range(1, 3600)
            .in("s")),
    MAX_HANDSHAKES(number("max_handshakes", 512, "unfinished handshakes of callers at once")
            .range(1, 65_536)
            .with(RAILYARD_ONLY)),
    MAX_HANDSHAKES_PER_ADDRESS(
            number("max_handshakes_per_address", 128, "unfinished handshakes of callers from one address at once")
                    .range(1, 65_536)
                    .with(RAILYARD_ONLY)),
    MAX_CONNECTIONS(number("max_connections", 16_384, "connections of the transport")
            .range(1, 1 << 20)
            .with(RAILYARD_ONLY)),
    MAX_CONNECTIONS_PER_PEER(number("max_connections_per_peer", 128, "connections that one peer may have")
            .range(1, 1024)
            .with(RAILYARD_ONLY)),
    MAX_PEERS(number("max_peers", 65_536, "peers with or without connections")
            .range(1, 1 << 20)
            .with(RAILYARD_ONLY)),
    MAX_QUEUED(number("max_queued", 65_536, "messages that wait for one connection, or for a connection to one peer")
            .range(1, 1 << 20)
            .with(RAILYARD_ONLY)),
    BUSY_POLL(number(
                    "busy_poll",
                    0,
                    "how long I/O threads look for more before they sleep; for latency, where CPUs are free; 0 means"
                            + " not at all")
            .range(0, 10_000)
            .in("µs")
            .with(RAILYARD_ONLY));

    @SuppressWarnings("ImmutableEnumChecker") // A record of copies.
    private final TunableSpec spec;

    SockTunable(TunableSpec spec) {
        this.spec = spec;
    }

    @Override
    public TunableSpec spec() {
        return spec;
    }
}
