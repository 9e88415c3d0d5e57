package org.railyard.lnet.api;

import static org.railyard.base.tune.TunableSpec.Flag.MODULE_PARAMETER;
import static org.railyard.base.tune.TunableSpec.Flag.WITHOUT_EFFECT;
import static org.railyard.base.tune.TunableSpec.choice;
import static org.railyard.base.tune.TunableSpec.number;
import static org.railyard.base.tune.TunableSpec.onOff;
import static org.railyard.lnet.api.CompatProfile.DOCUMENTS;
import static org.railyard.lnet.api.CompatProfile.LUSTRE;

import java.util.Optional;
import org.railyard.base.tune.TunableKey;
import org.railyard.base.tune.TunableSpec;

/** Node-wide tunables (spec 10 §21, 12 §2.5, §7.5); the help of each says what it means. */
public enum Tunable implements TunableKey {
    DISCOVERY(onOff("discovery", 1, "discover peers, and announce that this node can be discovered")),
    MULTI_RAIL(onOff("multi_rail", 1, "announce multi-rail; without it discovery is off too")
            .with(MODULE_PARAMETER)),
    MAX_INTERFACES(number("max_interfaces", 4096, "most NIs of a node, and entries of a ping info")
            .range(16, 65_535)
            .parameter("lnet_interfaces_max")),
    LOCAL_NID_DIST_ZERO(onOff("local_nid_dist_zero", 1, "0: an own NID is at distance 1 instead of 0")),
    LOCK_PRIM_NID(onOff("lock_prim_nid", 1, "keep the primary NID of a peer that an upper layer added")
            .with(MODULE_PARAMETER)),
    VERIFY_PEER_IDENTITY(
            onOff("verify_peer_identity", 1, "check that answers to pings come from the peer that has the NID")
                    .in(LUSTRE, 0)),

    NUMA_RANGE(
            number("numa_range", 0, "NUMA distances below this one are equal").parameter("lnet_numa_range")),
    NI_CPT_DEFAULT(choice("ni_cpt_default", "all", "CPTs of an NI for which none are named", "all", "numa")
            .in(LUSTRE, 1)),

    TRANSACTION_TIMEOUT(number("transaction_timeout", 150, "limit of a transaction")
            .range(1, 86_400 * 365)
            .in("s")
            .parameter("lnet_transaction_timeout")),
    RETRY_COUNT(number("retry_count", 2, "times that a message is sent again; 0 means never")
            .range(0, 86_400 * 365)
            .parameter("lnet_retry_count")),
    RETRY_COUNT_CAP(number("retry_count_cap", 5, "upper limit of `retry_count` as it counts; 0 means none")
            .range(0, 1000)
            .in(LUSTRE, 0)),
    RESEND_INTERVAL(number("resend_interval", 0, "shortest time between two attempts at a message")
            .range(0, 3_600_000)
            .in("ms")),
    TIMEOUT_FORMULA(choice(
                    "timeout_formula",
                    "documents",
                    "how message and LND time-outs follow from the transaction's",
                    "documents",
                    "lustre")
            .in(LUSTRE, 1)),
    DEADLINE_RULE(choice(
                    "deadline_rule",
                    "first_send",
                    "from when the deadline of a message counts",
                    "first_send",
                    "per_commit")
            .in(LUSTRE, 1)),
    EXPIRE_ACTIVE_MESSAGES(onOff("expire_active_messages", 1, "end messages past their deadline wherever they are")
            .in(LUSTRE, 0)),
    RESPONSE_TRACKING(number("response_tracking", 3, "responses that are timed: 0 LNet's own, 1 GET, 2 PUT, 3 both")
            .range(0, 3)
            .parameter("lnet_response_tracking")),
    RESPONSE_TIMEOUT_EVENT(choice(
                    "response_timeout_event",
                    "reply_or_ack",
                    "event that tells of a missing response",
                    "reply_or_ack",
                    "unlink")
            .in(LUSTRE, 1)),
    RESEND_ON_NETWORK_TIMEOUT(onOff(
            "resend_on_network_timeout",
            0,
            "send a message again that was posted and never completed; it may arrive twice")),
    RESEND_ON_REMOTE_TIMEOUT(onOff(
            "resend_on_remote_timeout",
            0,
            "send a message again that the peer's LND did not acknowledge; it may arrive twice")),
    RESEND_AVOID_USED_PATHS(
            onOff("resend_avoid_used_paths", 1, "a resend avoids the NIs and peer NIs that were tried before")
                    .in(LUSTRE, 0)),
    SINGLE_RAIL_RESEND(onOff("single_rail_resend", 0, "a node with one NI sends again over that NI")
            .in(DOCUMENTS, 1)),
    SINGLE_RAIL_REMOTE_HEALTH(
            onOff("single_rail_remote_health", 0, "a peer with one NID loses health and is sent to again")
                    .in(DOCUMENTS, 1)),
    RESPONSE_SRC_FALLBACK(
            onOff("response_src_fallback", 1, "a response may leave from another NI than the request came to")
                    .in(LUSTRE, 0)),
    REQUEUE_ON_NI_FAILURE(onOff("requeue_on_ni_failure", 1, "messages that wait for an NI which fails move to another")
            .in(LUSTRE, 0)),

    HEALTH_SENSITIVITY(number(
                    "health_sensitivity",
                    100,
                    "what a failure takes from the health of an NI or peer NI; 0 switches health off")
            .range(0, 1000)
            .parameter("lnet_health_sensitivity")),
    HEALTH_RECOVERY_INCREMENT(number(
                    "health_recovery_increment",
                    0,
                    "health that an answered recovery ping gives; 0 means `health_sensitivity`")
            .range(0, 1000)
            .in(DOCUMENTS, 1)),
    NI_HEALTH_ON_SILENCE(choice(
                    "ni_health_on_silence",
                    "several",
                    "time-outs that lower the local NI: each, or those of several peers while nothing arrives on the"
                            + " NI",
                    "each",
                    "several")
            .in(DOCUMENTS, 0)
            .in(LUSTRE, 0)),
    HEALTH_RAISE_ON_ANY_SUCCESS(
            onOff("health_raise_on_any_success", 0, "any success gives health, not only an answered recovery ping")
                    .in(LUSTRE, 1)),
    RECOVERY_BACKOFF(onOff("recovery_backoff", 0, "recovery pings get rarer the longer nobody answers")
            .in(LUSTRE, 1)),
    RECOVERY_INTERVAL(number("recovery_interval", 1, "time between recovery pings without back-off")
            .range(1, 86_400)
            .in("s")
            .parameter("lnet_recovery_interval")),
    RECOVERY_LIMIT(number("recovery_limit", 0, "time after which a silent peer NI is given up; 0 means never")
            .in("s")
            .parameter("lnet_recovery_limit")),
    MAX_RECOVERY_PING_INTERVAL(number("max_recovery_ping_interval", 900, "longest time between recovery pings")
            .range(1, Integer.MAX_VALUE)
            .in("s")
            .parameter("lnet_max_recovery_ping_interval")),

    SPEC_SRC_SELECT_PEER_NI(onOff("spec_src_select_peer_ni", 1, "a named source leaves the peer NI open")
            .in(LUSTRE, 0)),
    USE_FATAL_NI_AS_LAST_RESORT(
            onOff("use_fatal_ni_as_last_resort", 0, "use an NI with a fatal error when nothing else is left")
                    .in(LUSTRE, 1)),
    NMR_FAIL_UNHEALTHY(onOff(
                    "nmr_fail_unhealthy",
                    0,
                    "a message to an unhealthy peer that is not multi-rail fails instead of being sent again")
            .in(DOCUMENTS, 1)),
    PEER_NI_USE_TXQNOB(onOff("peer_ni_use_txqnob", 1, "queued bytes count before credits among peer NIs")
            .in(LUSTRE, 0)),
    UDSP_BEFORE_HEALTH(onOff("udsp_before_health", 0, "selection policies count before health")),

    BOND_POLICY(choice(
            "bond_policy",
            "balanced",
            "how one NID of a bond is chosen, for bonds that do not say it themselves",
            "balanced",
            "round-robin",
            "ordered")),

    ALIVE_ROUTER_CHECK_INTERVAL(number(
                    "alive_router_check_interval",
                    60,
                    "time between checks of a gateway over one net; 0 or less means no checks")
            .range(-1, 86_400)
            .in("s")),
    ROUTER_PING_TIMEOUT(number("router_ping_timeout", 50, "limit for the answer to a check of a gateway")
            .range(1, 86_400)
            .in("s")),
    CHECK_ROUTERS_BEFORE_USE(onOff(
            "check_routers_before_use", 0, "gateways count as dead until their first check, which a start waits for")),
    AVOID_ASYM_ROUTER_FAILURE(onOff(
            "avoid_asym_router_failure",
            1,
            "a single-hop route needs an NID of its gateway that is up on the remote net")),
    DROP_ASYM_ROUTE(
            onOff("drop_asym_route", 0, "drop messages that come by a gateway through which no route leads back")
                    .parameter("lnet_drop_asym_route")),

    AUTO_DOWN(onOff("auto_down", 1, "a gateway counts as dead when its transport says so")),
    ROUTER_SENSITIVITY_PERCENTAGE(number("router_sensitivity_percentage", 100, "stored; gateways have health instead")
            .range(0, 100)
            .with(WITHOUT_EFFECT)),
    DEAD_ROUTER_CHECK_INTERVAL(obsolete("dead_router_check_interval")),
    LIVE_ROUTER_CHECK_INTERVAL(obsolete("live_router_check_interval")),

    FORWARDING(choice(
                    "forwarding",
                    "",
                    "forward messages of others from the start on; by itself when a route names the node as gateway",
                    "",
                    "enabled",
                    "disabled")
            .with(MODULE_PARAMETER)),
    TINY_BUFFERS(buffers("tiny", "for messages without payload; 0 means 2048")),
    SMALL_BUFFERS(buffers("small", "of a page; 0 means 16384")),
    LARGE_BUFFERS(buffers("large", "of 1 MiB; 0 means 1024")),
    PEER_BUFFER_CREDITS(number(
                    "peer_buffer_credits",
                    0,
                    "router buffers that one peer NI may fill, unless its net says so; 0 means its send credits")
            .range(0, 1 << 20)
            .with(MODULE_PARAMETER)),

    STATS_RESET_HEALTH(onOff("stats_reset_health", 1, "a reset of statistics includes health counters of NIs and peers")
            .in(LUSTRE, 0));

    @SuppressWarnings("ImmutableEnumChecker") // A record of copies.
    private final TunableSpec spec;

    Tunable(TunableSpec spec) {
        this.spec = spec;
    }

    private static TunableSpec buffers(String size, String help) {
        return number(size + "_buffers", 0, "router buffers " + help)
                .range(0, 1 << 20)
                .parameter(size + "_router_buffers");
    }

    private static TunableSpec obsolete(String name) {
        return number(name, Integer.MIN_VALUE, "stored; `alive_router_check_interval` counts instead")
                .range(Integer.MIN_VALUE, Integer.MAX_VALUE)
                .with(WITHOUT_EFFECT);
    }

    @Override
    public TunableSpec spec() {
        return spec;
    }

    /** Returns its default in a profile. */
    public int defaultIn(CompatProfile profile) {
        return spec.defaultIn(profile);
    }

    /** Returns the tunable with a name. */
    public static Optional<Tunable> find(String name) {
        return TunableKey.find(values(), name);
    }
}
