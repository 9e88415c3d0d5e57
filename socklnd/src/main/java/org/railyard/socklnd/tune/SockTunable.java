package org.railyard.socklnd.tune;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/**
 * Numeric tunables of the TCP transport, with the names and defaults of real nodes (spec 02 §10), and the limits that
 * only this node has.
 */
public enum SockTunable {
    /** Limit of everything that takes time, s; 0 means the stack's. */
    SOCK_TIMEOUT("sock_timeout", 50, 0, 86_400),
    /** I/O threads; 0 means as many as cores, at most 4. */
    NSCHEDS("nscheds", 0, 0, 64),
    /** Connection attempts under way at once. */
    NCONNDS_MAX("nconnds_max", 64, 1, 4096),
    /** First wait after a failed attempt, ms. */
    MIN_RECONNECT_MS("min_reconnectms", 1000, 1, 3_600_000),
    /** Longest wait after failed attempts, ms. */
    MAX_RECONNECT_MS("max_reconnectms", 60_000, 1, 3_600_000),
    /** Types to acknowledge at once in TCP: bit 1 control, bit 2 bulk in, bit 3 bulk out. */
    EAGER_ACK("eager_ack", 0, 0, 15),
    /** Frames from this size on are bulk, bytes with headers. */
    MIN_BULK("min_bulk", 1024, 0, 1 << 21),
    /** Size of the socket's send buffer, bytes; 0 leaves it to the system. */
    TX_BUFFER_SIZE("tx_buffer_size", 0, 0, 1 << 30),
    /** Size of the socket's receive buffer, bytes; 0 leaves it to the system. */
    RX_BUFFER_SIZE("rx_buffer_size", 0, 0, 1 << 30),
    /** Whether TCP may wait for more data before it sends. */
    NAGLE("nagle", 0, 0, 1),
    /** Whether equal connections take turns. */
    ROUND_ROBIN("round_robin", 1, 0, 1),
    /** Silence after which a keepalive is sent, s; 0 means never. */
    KEEPALIVE("keepalive", 30, 0, 86_400),
    /** TCP keepalive: idle time before the first probe, s; 0 means no TCP keepalive. */
    KEEPALIVE_IDLE("keepalive_idle", 30, 0, 32_767),
    /** TCP keepalive: probes. */
    KEEPALIVE_COUNT("keepalive_count", 5, 1, 127),
    /** TCP keepalive: time between probes, s. */
    KEEPALIVE_INTVL("keepalive_intvl", 5, 1, 32_767),
    /** Whether frames carry checksums; V2 only. */
    ENABLE_CSUM("enable_csum", 0, 0, 1),
    /** Whether checksums are sent wrong, for tests. */
    INJECT_CSUM_ERROR("inject_csum_error", 0, 0, 1),
    /**
     * Whether zero-copy acks prefer the connection on which the peer sends bulk; otherwise they go with small messages.
     */
    NONBLK_ZCACK("nonblk_zcack", 1, 0, 1),
    /** Payload from which zero-copy acks are asked for, bytes. */
    ZC_MIN_PAYLOAD("zc_min_payload", 16_384, 2048, 1 << 20),
    /** Bulk connections per direction to each peer; 0 means by link speed. */
    CONNS_PER_PEER("conns_per_peer", 0, 0, 127),
    /** IP type of service; −1 leaves it alone. */
    TOS("tos", -1, -1, 255),
    /** Port to listen on and to dial for control connections; 0 listens on any free port. */
    ACCEPT_PORT("accept_port", 988, 0, 65_535),
    /** Port to listen on and to dial for bulk connections. */
    ACCEPT_PORT_BULK("accept_port_bulk", 988, 0, 65_535),
    /** Connections the system may keep before they are accepted. */
    ACCEPT_BACKLOG("accept_backlog", 127, 1, 65_535),
    /** Limit for a caller's connection request, and again for its hello, s. */
    ACCEPT_TIMEOUT("accept_timeout", 5, 1, 3600),
    /** Unfinished handshakes of callers at once. */
    MAX_HANDSHAKES("max_handshakes", 512, 1, 65_536),
    /** Unfinished handshakes of callers from one address at once. */
    MAX_HANDSHAKES_PER_ADDRESS("max_handshakes_per_address", 128, 1, 65_536),
    /** Connections of the transport. */
    MAX_CONNECTIONS("max_connections", 16_384, 1, 1 << 20),
    /** Connections that one peer may have. */
    MAX_CONNECTIONS_PER_PEER("max_connections_per_peer", 128, 1, 1024),
    /** Peers with or without connections. */
    MAX_PEERS("max_peers", 65_536, 1, 1 << 20),
    /** Messages that wait for room on one connection, or for a connection to one peer. */
    MAX_QUEUED("max_queued", 65_536, 1, 1 << 20);

    private final String text;
    private final int defaultValue;
    private final int min;
    private final int max;

    SockTunable(String text, int defaultValue, int min, int max) {
        this.text = text;
        this.defaultValue = defaultValue;
        this.min = min;
        this.max = max;
    }

    /**
     * Returns the tunable with a name.
     *
     * @throws ErrnoException EINVAL if there is none
     */
    public static SockTunable named(String name) {
        return Arrays.stream(values())
                .filter(tunable -> tunable.text.equals(name))
                .findFirst()
                .orElseThrow(() -> new ErrnoException(
                        Errno.EINVAL,
                        "no socklnd tunable '" + name + "', expected one of "
                                + Arrays.stream(values()).map(t -> t.text).collect(Collectors.joining(", "))));
    }

    /** Returns the name that the module parameter of real nodes has. */
    public String text() {
        return text;
    }

    /** Returns the default. */
    public int defaultValue() {
        return defaultValue;
    }

    /** Returns the legal values, for people. */
    public String range() {
        return "a number " + min + "…" + max;
    }

    /**
     * Returns the value if it is in range.
     *
     * @throws ErrnoException EINVAL if not
     */
    public int check(int value) {
        if (value < min || value > max) {
            throw new ErrnoException(Errno.EINVAL, text + " is " + value + ", expected " + range());
        }
        return value;
    }
}
