package org.railyard.o2iblnd.tune;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/** Numeric tunables of o2iblnd, with the names and defaults of real nodes (spec 20 §17). */
public enum O2ibTunable {
    /** Port to listen on. */
    SERVICE("service", 987, false, "port to listen on; the same on all nodes"),
    /** Whether messages carry checksums. */
    CKSUM("cksum", 0, false, "checksums of messages, not of RDMA data"),
    /** Limit of everything that takes time, s. */
    TIMEOUT("timeout", 50, true, "seconds; 0 means the limit of the core"),
    /** Threads per CPT. */
    NSCHEDS("nscheds", 0, false, "threads per CPT; 0 means half of its CPUs, at least 2"),
    /** Connections to a peer. */
    CONNS_PER_PEER("conns_per_peer", 1, true, "connections to a peer, 1…127; 0 means 1"),
    /** Transmit descriptors. */
    NTX("ntx", 512, true, "transmit descriptors of an NI, at least 256 per CPT"),
    /** Sends of an NI. */
    CREDITS("credits", 256, true, "sends of the NI at a time; upper bound of peer_credits"),
    /** Sends to a peer. */
    PEER_CREDITS("peer_credits", 8, true, "sends to a peer at a time; at least 8, at most 255 and credits"),
    /** When credits are returned. */
    PEER_CREDITS_HIW(
            "peer_credits_hiw",
            0,
            true,
            "returns credits from this many on; between peer_credits/2 and peer_credits-1"),
    /** Router buffers per peer. */
    PEER_BUFFER_CREDITS("peer_buffer_credits", 0, true, "router buffers per peer; of the core only"),
    /** Window of a router's peer aliveness, s. */
    PEER_TIMEOUT("peer_timeout", 180, true, "seconds; of the core only"),
    /** Repetitions of an unanswered message. */
    RETRY_COUNT("retry_count", 5, false, "how often an unanswered message is sent again, 0…7"),
    /** Repetitions for a receiver that is not ready. */
    RNR_RETRY_COUNT(
            "rnr_retry_count",
            6,
            false,
            "how often a message is sent again for which nothing was posted, 0…7; 7 means for ever"),
    /** Silence before a NOOP, s. */
    KEEPALIVE("keepalive", 100, false, "seconds of silence before a NOOP; 0 means never"),
    /** MTU of paths. */
    IB_MTU("ib_mtu", 0, false, "0 for the path's, or 256, 512, 1024, 2048, 4096"),
    /** Sends posted at a time. */
    CONCURRENT_SENDS(
            "concurrent_sends",
            0,
            true,
            "sends posted at a time; 0 means peer_credits; between peer_credits/2 and 2*peer_credits"),
    /** Whether regions may have gaps. */
    USE_FASTREG_GAPS("use_fastreg_gaps", 0, false, "1 allocates regions that may have gaps"),
    /** Obsolete limit of fragments. */
    MAP_ON_DEMAND("map_on_demand", 1, true, "obsolete and ignored; a limit of fragments up to 2.10"),
    /** Regions of the pools. */
    FMR_POOL_SIZE("fmr_pool_size", 512, true, "regions of the NI, at least ntx/4, and 256 per CPT"),
    /** When unused FMRs are flushed. */
    FMR_FLUSH_TRIGGER("fmr_flush_trigger", 384, true, "FMR only; at least 192 per CPT"),
    /** Whether FMRs are cached. */
    FMR_CACHE("fmr_cache", 1, true, "FMR only; 0 means the default"),
    /** Whether bonded interfaces fail over. */
    DEV_FAILOVER("dev_failover", 0, false, "0 off, 1 on a bonding master, more to force it"),
    /** Whether requests must come from privileged ports. */
    REQUIRE_PRIVILEGED_PORT("require_privileged_port", 0, false, "refuses requests from ports from 1024 on"),
    /** Whether requests come from privileged ports. */
    USE_PRIVILEGED_PORT("use_privileged_port", 1, false, "asks from a port below 1024"),
    /** Gather entries of an RDMA request. */
    WRQ_SGE("wrq_sge", 2, false, "gather entries of an RDMA request, at most what the device has"),
    /** Type of service. */
    TOS("tos", -1, true, "type of service, 0…255; -1 for none"),
    /** Whether several interfaces make one NI. */
    CHANNEL_BONDING(
            "channel_bonding", 0, true, "1 makes one NI of all interfaces of a net, not one of each; Railyard only"),
    /** Whether unsent messages of a route that failed take another one. */
    BOND_LOCAL_RETRY(
            "bond_local_retry",
            1,
            true,
            "1 moves messages that have not left to another route when theirs fails; Railyard only"),
    /** What picks the route of a message. */
    ROUTE_POLICY(
            "route_policy",
            0,
            true,
            "0: the routes to a peer take turns; 1: as often as their links are fast; Railyard only"),
    /** Whether a broken device must be opened anew. */
    FATAL_IS_STICKY(
            "fatal_is_sticky", 0, true, "1 uses a device that was broken only after it was added anew; Railyard only"),
    /** Silence after which a connection is closed, s. */
    CONN_IDLE_TIMEOUT(
            "conn_idle_timeout", 0, true, "seconds without a message but NOOPs; 0 means never; Railyard only"),
    /** Rate that links should have, Gb/s. */
    EXPECTED_LINK(
            "expected_link",
            0,
            true,
            "Gb/s below which a link is degraded; 0 means the best it has had; Railyard only"),
    /** Who gives way when both connect at once. */
    RACE_ORDER(
            "race_order",
            0,
            false,
            "who gives way when both connect at once, 0: the lower hash, as nodes from 2.15.64 on; 1: the lower NID, as"
                    + " those before; Railyard only"),
    /** How bytes count in checksums. */
    CKSUM_SIGNED(
            "cksum_signed",
            1,
            false,
            "bytes in checksums that are sent, 1: signed, as x86 kernels before 6.2 count; 0: not; Railyard only"),
    /** Whether groups tell their addresses, and believe those that they are told. */
    ADVERTISE_IPS(
            "advertise_ips",
            0,
            true,
            "1: a group tells peers the addresses of its interfaces when it accepts a connection, and uses those that"
                    + " it is told where no target is configured; Railyard only"),
    /** Newest version of the protocol that the node speaks. */
    PROTOCOL(
            "protocol",
            2,
            true,
            "newest version of the protocol that is spoken: 2, and 1 with peers that know no other; 1: only that, as"
                    + " the oldest nodes; Railyard only");

    private static final String OF_RAILYARD = "; Railyard only";

    private final String text;
    private final int defaultValue;
    private final boolean perNet;
    private final String meaning;

    O2ibTunable(String text, int defaultValue, boolean perNet, String meaning) {
        this.text = text;
        this.defaultValue = defaultValue;
        this.perNet = perNet;
        this.meaning = meaning;
    }

    /**
     * Returns the tunable with a name; {@code peercredits_hiw} is another name of {@link #PEER_CREDITS_HIW}.
     *
     * @throws ErrnoException EINVAL if there is none
     */
    public static O2ibTunable named(String name) {
        String wanted = name.equals("peercredits_hiw") ? PEER_CREDITS_HIW.text : name;
        return Arrays.stream(values())
                .filter(tunable -> tunable.text.equals(wanted))
                .findFirst()
                .orElseThrow(() -> new ErrnoException(
                        Errno.EINVAL,
                        "no o2iblnd tunable '" + name + "', expected one of "
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

    /** Tells whether each net may have its own. */
    public boolean isPerNet() {
        return perNet;
    }

    /** Tells whether kernel nodes do not know it. */
    boolean isOfRailyard() {
        return meaning.endsWith(OF_RAILYARD);
    }

    /** Returns what it means and which values it takes, for people. */
    public String meaning() {
        return meaning;
    }
}
