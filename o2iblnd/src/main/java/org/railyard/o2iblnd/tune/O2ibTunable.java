package org.railyard.o2iblnd.tune;

import static org.railyard.base.tune.TunableSpec.Flag.ADJUSTED;
import static org.railyard.base.tune.TunableSpec.Flag.PER_NI;
import static org.railyard.base.tune.TunableSpec.Flag.RAILYARD_ONLY;
import static org.railyard.base.tune.TunableSpec.Flag.WITHOUT_EFFECT;
import static org.railyard.base.tune.TunableSpec.number;
import static org.railyard.base.tune.TunableSpec.onOff;

import org.railyard.base.ErrnoException;
import org.railyard.base.tune.TunableKey;
import org.railyard.base.tune.TunableSpec;

/** Numeric tunables of o2iblnd, with the names and defaults of real nodes (spec 20 §17). */
public enum O2ibTunable implements TunableKey {
    SERVICE(number("service", 987, "port to listen at; the same on all nodes").range(1, 65_535)),
    CKSUM(onOff("cksum", 0, "checksums of messages, not of RDMA data")),
    TIMEOUT(seconds(
                    "timeout",
                    50,
                    "limit of everything that takes time; 0 means LNet's for messages and 50 s for the rest")
            .with(PER_NI)),
    NSCHEDS(number("nscheds", 0, "threads per CPT; 0 means half of its CPUs, at least 2")),
    CONNS_PER_PEER(number("conns_per_peer", 1, "connections to a peer; 0 means 1")
            .range(0, 127)
            .with(PER_NI, ADJUSTED)),
    NTX(number("ntx", 512, "transmit descriptors of an NI, at least 256 per CPT")
            .range(1, 1 << 20)
            .with(PER_NI)),
    CREDITS(number("credits", 256, "sends of the NI at a time; upper bound of peer_credits")
            .range(1, Integer.MAX_VALUE)
            .with(PER_NI, ADJUSTED)),
    PEER_CREDITS(number("peer_credits", 8, "sends to a peer at a time; at most credits")
            .range(8, 255)
            .with(PER_NI, ADJUSTED)),
    PEER_CREDITS_HIW(number(
                    "peer_credits_hiw",
                    0,
                    "returns credits from this many on; between peer_credits/2 and peer_credits-1")
            .range(0, 254)
            .with(PER_NI, ADJUSTED)),
    PEER_BUFFER_CREDITS(number("peer_buffer_credits", 0, "router buffers per peer; of LNet only")
            .with(PER_NI)),
    PEER_TIMEOUT(number("peer_timeout", 180, "silence after which a peer is asked; of LNet only")
            .in("s")
            .with(PER_NI)),
    RETRY_COUNT(number("retry_count", 5, "times that an unanswered message is sent again")
            .range(0, 7)),
    RNR_RETRY_COUNT(number(
                    "rnr_retry_count",
                    6,
                    "times that a message is sent again for which nothing was posted; 7 means for ever")
            .range(0, 7)),
    KEEPALIVE(seconds("keepalive", 100, "silence before a NOOP; 0 means never")),
    IB_MTU(number("ib_mtu", 0, "0 for that of the path, or 256, 512, 1024, 2048, 4096")
            .range(0, 4096)
            .in("bytes")),
    CONCURRENT_SENDS(number(
                    "concurrent_sends",
                    0,
                    "sends posted at a time; 0 means peer_credits; between peer_credits/2 and 2*peer_credits")
            .range(0, 510)
            .with(PER_NI, ADJUSTED)),
    USE_FASTREG_GAPS(onOff("use_fastreg_gaps", 0, "allocate regions that may have gaps")),
    MAP_ON_DEMAND(number("map_on_demand", 1, "obsolete; a limit of fragments up to 2.10")
            .range(0, 256)
            .with(PER_NI, ADJUSTED, WITHOUT_EFFECT)),
    FMR_POOL_SIZE(number("fmr_pool_size", 512, "regions of the NI, at least ntx/4, and 256 per CPT")
            .range(1, 1 << 20)
            .with(PER_NI)),
    FMR_FLUSH_TRIGGER(number("fmr_flush_trigger", 384, "when unused FMRs are flushed; at least 192 per CPT")
            .with(PER_NI)),
    FMR_CACHE(onOff("fmr_cache", 1, "FMR only; 0 means the default").with(PER_NI, ADJUSTED)),
    DEV_FAILOVER(number("dev_failover", 0, "0 off, 1 on a bonding master, more to force it")),
    REQUIRE_PRIVILEGED_PORT(onOff("require_privileged_port", 0, "refuse requests from ports from 1024 on")),
    USE_PRIVILEGED_PORT(onOff("use_privileged_port", 1, "ask from a port below 1024")),
    WRQ_SGE(number("wrq_sge", 2, "gather entries of an RDMA request, at most what the device has")
            .range(1, Integer.MAX_VALUE)),
    TOS(number("tos", -1, "type of service; -1 for none").range(-1, 255).with(PER_NI)),
    CHANNEL_BONDING(onOff("channel_bonding", 0, "one NI of all interfaces of a net, not one of each")
            .with(PER_NI, RAILYARD_ONLY)),
    BOND_LOCAL_RETRY(onOff("bond_local_retry", 1, "move messages that have not left to another route when theirs fails")
            .with(PER_NI, RAILYARD_ONLY)),
    ROUTE_POLICY(onOff("route_policy", 0, "0: the routes to a peer take turns; 1: as often as their links are fast")
            .with(PER_NI, RAILYARD_ONLY)),
    FATAL_IS_STICKY(onOff("fatal_is_sticky", 0, "use a device that was broken only after it was added anew")
            .with(PER_NI, RAILYARD_ONLY)),
    CONN_IDLE_TIMEOUT(
            seconds("conn_idle_timeout", 0, "time without a message but NOOPs that ends a connection; 0 means never")
                    .with(PER_NI, RAILYARD_ONLY)),
    EXPECTED_LINK(number("expected_link", 0, "rate below which a link is degraded; 0 means the best it has had")
            .range(0, 100_000)
            .in("Gb/s")
            .with(PER_NI, RAILYARD_ONLY)),
    RACE_ORDER(onOff(
                    "race_order",
                    0,
                    "who gives way when both connect at once, 0: the lower hash, as nodes from 2.15.64 on; 1: the lower"
                            + " NID, as those before")
            .with(RAILYARD_ONLY)),
    CKSUM_SIGNED(
            onOff("cksum_signed", 1, "bytes in checksums that are sent, 1: signed, as x86 kernels before 6.2; 0: not")
                    .with(RAILYARD_ONLY)),
    ADVERTISE_IPS(onOff(
                    "advertise_ips",
                    0,
                    "a group tells peers the addresses of its interfaces when it accepts a connection, and uses those"
                            + " that it is told where no target is configured")
            .with(PER_NI, RAILYARD_ONLY)),
    PACK(onOff("pack", 1, "several small messages in one to peers that know it, which kernels do not")
            .with(PER_NI, RAILYARD_ONLY)),
    PROTOCOL(number(
                    "protocol",
                    2,
                    "newest version of the protocol, 2: also 1 with peers that know no other; 1: only that")
            .range(1, 2)
            .with(PER_NI, RAILYARD_ONLY));

    @SuppressWarnings("ImmutableEnumChecker") // A record of copies.
    private final TunableSpec spec;

    O2ibTunable(TunableSpec spec) {
        this.spec = spec;
    }

    private static TunableSpec seconds(String name, int defaultValue, String help) {
        return number(name, defaultValue, help)
                .range(0, Integer.MAX_VALUE / 1000)
                .in("s");
    }

    /**
     * Returns the tunable with a name; {@code peercredits_hiw} is another name of {@link #PEER_CREDITS_HIW}.
     *
     * @throws ErrnoException EINVAL if there is none
     */
    public static O2ibTunable named(String name) {
        return TunableKey.named("o2iblnd", values(), name.equals("peercredits_hiw") ? "peer_credits_hiw" : name);
    }

    @Override
    public TunableSpec spec() {
        return spec;
    }
}
