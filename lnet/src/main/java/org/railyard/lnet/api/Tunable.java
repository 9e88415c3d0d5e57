package org.railyard.lnet.api;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Node-wide tunables: names, ranges and the defaults of both profiles (spec 10 §21, 12 §2.5, §7.5). Switches are 0 or
 * 1; those with named settings have them in {@link #choices}, counted from 0.
 */
public enum Tunable {
    /** Whether to discover peers and to announce that it can be done with us. */
    DISCOVERY("discovery", 1, 0, 1),
    /** Whether to announce multi-rail; without it, discovery is off too. */
    MULTI_RAIL("multi_rail", 1, 0, 1),
    /** Most entries of a ping info, and so NIs of a node. */
    MAX_INTERFACES("max_interfaces", 4096, 16, 65_535),
    /** Whether an own NID is at distance 0 instead of 1. */
    LOCAL_NID_DIST_ZERO("local_nid_dist_zero", 1, 0, 1),
    /** Whether the primary NID of a peer that an upper layer added stays. */
    LOCK_PRIM_NID("lock_prim_nid", 1, 0, 1),
    /** Whether answers to pings are checked to come from the peer that the NID belongs to. */
    VERIFY_PEER_IDENTITY("verify_peer_identity", 1, 0, 0, 1),

    /** NUMA distances below this one are equal. */
    NUMA_RANGE("numa_range", 0, 0, Integer.MAX_VALUE),
    /** The CPTs of an NI for which none are named. */
    NI_CPT_DEFAULT("ni_cpt_default", 0, 1, "all", "numa"),

    /** Limit of a transaction, s. */
    TRANSACTION_TIMEOUT("transaction_timeout", 150, 1, 86_400 * 365),
    /** Times that a message is sent again; 0 means never. */
    RETRY_COUNT("retry_count", 2, 0, 86_400 * 365),
    /** Most times that a message is sent again, whatever {@link #RETRY_COUNT} says; 0 means no such limit. */
    RETRY_COUNT_CAP("retry_count_cap", 5, 0, 0, 1000),
    /** Shortest time between two attempts at a message, ms. */
    RESEND_INTERVAL("resend_interval", 0, 0, 3_600_000),
    /** How message and LND time-outs follow from the transaction's. */
    TIMEOUT_FORMULA("timeout_formula", 0, 1, "documents", "lustre"),
    /** From when the deadline of a message counts. */
    DEADLINE_RULE("deadline_rule", 0, 1, "first_send", "per_commit"),
    /** Whether messages past their deadline are ended wherever they are. */
    EXPIRE_ACTIVE_MESSAGES("expire_active_messages", 1, 0, 0, 1),
    /** Which responses are timed: 0 only LNet's own, 1 GET, 2 PUT, 3 both. */
    RESPONSE_TRACKING("response_tracking", 3, 0, 3),
    /** The event that tells of a missing response. */
    RESPONSE_TIMEOUT_EVENT("response_timeout_event", 0, 1, "reply_or_ack", "unlink"),
    /** Whether a message that was posted and never completed is sent again; it may arrive twice. */
    RESEND_ON_NETWORK_TIMEOUT("resend_on_network_timeout", 0, 0, 1),
    /** Whether a message that the peer's LND did not acknowledge is sent again; it may arrive twice. */
    RESEND_ON_REMOTE_TIMEOUT("resend_on_remote_timeout", 0, 0, 1),
    /** Whether a resend avoids the NIs and peer NIs that were tried before. */
    RESEND_AVOID_USED_PATHS("resend_avoid_used_paths", 1, 0, 0, 1),
    /** Whether a node with one NI sends again over that NI. */
    SINGLE_RAIL_RESEND("single_rail_resend", 1, 0, 0, 1),
    /** Whether a peer with one NID loses health and is sent to again. */
    SINGLE_RAIL_REMOTE_HEALTH("single_rail_remote_health", 1, 0, 0, 1),
    /** Whether a response may leave from another NI than the one that the request came to. */
    RESPONSE_SRC_FALLBACK("response_src_fallback", 1, 0, 0, 1),
    /** Whether messages that wait for an NI which fails move to another. */
    REQUEUE_ON_NI_FAILURE("requeue_on_ni_failure", 1, 0, 0, 1),

    /** What a failure takes from the health of an NI or peer NI; 0 switches health off. */
    HEALTH_SENSITIVITY("health_sensitivity", 100, 0, 1000),
    /** What an answered recovery ping gives; 0 means as much as {@link #HEALTH_SENSITIVITY}. */
    HEALTH_RECOVERY_INCREMENT("health_recovery_increment", 1, 0, 0, 1000),
    /**
     * When a time-out lowers the local NI: each one, or only if several peers that were alive are silent in a time in
     * which nothing arrives on the NI. Otherwise the silence of a peer costs that peer alone.
     */
    NI_HEALTH_ON_SILENCE("ni_health_on_silence", 0, 0, "each", "several"),
    /** Whether any success gives health, not only an answered recovery ping. */
    HEALTH_RAISE_ON_ANY_SUCCESS("health_raise_on_any_success", 0, 1, 0, 1),
    /** Whether recovery pings get rarer the longer nobody answers. */
    RECOVERY_BACKOFF("recovery_backoff", 0, 1, 0, 1),
    /** Time between recovery pings without back-off, s. */
    RECOVERY_INTERVAL("recovery_interval", 1, 1, 86_400),
    /** Time after which a silent peer NI is given up, s; 0 means never. */
    RECOVERY_LIMIT("recovery_limit", 0, 0, Integer.MAX_VALUE),
    /** Longest time between recovery pings, s. */
    MAX_RECOVERY_PING_INTERVAL("max_recovery_ping_interval", 900, 1, Integer.MAX_VALUE),

    /** Whether a named source leaves the peer NI open. */
    SPEC_SRC_SELECT_PEER_NI("spec_src_select_peer_ni", 1, 0, 0, 1),
    /** Whether an NI with a fatal error is used when nothing else is left. */
    USE_FATAL_NI_AS_LAST_RESORT("use_fatal_ni_as_last_resort", 0, 1, 0, 1),
    /** Whether a message to an unhealthy peer that is not multi-rail fails instead of being sent again. */
    NMR_FAIL_UNHEALTHY("nmr_fail_unhealthy", 1, 0, 0, 1),
    /** Whether queued bytes count before credits among peer NIs. */
    PEER_NI_USE_TXQNOB("peer_ni_use_txqnob", 1, 0, 0, 1),
    /** Whether selection policies count before health. */
    UDSP_BEFORE_HEALTH("udsp_before_health", 0, 0, 1),

    /** How one NID of a bond is chosen, for bonds that do not say it themselves. */
    BOND_POLICY("bond_policy", 0, 0, "balanced", "round-robin", "ordered"),

    /** Time between checks of a gateway over one net, s; 0 or less means no checks. */
    ALIVE_ROUTER_CHECK_INTERVAL("alive_router_check_interval", 60, -1, 86_400),
    /** Limit for the answer to a check of a gateway, s. */
    ROUTER_PING_TIMEOUT("router_ping_timeout", 50, 1, 86_400),
    /** Whether gateways count as dead until their first check, which a start waits for. */
    CHECK_ROUTERS_BEFORE_USE("check_routers_before_use", 0, 0, 1),
    /** Whether a single-hop route needs an NID of its gateway that is up on the remote net. */
    AVOID_ASYM_ROUTER_FAILURE("avoid_asym_router_failure", 1, 0, 1),
    /** Whether a message that came by a gateway through which no route leads back is dropped. */
    DROP_ASYM_ROUTE("drop_asym_route", 0, 0, 1),

    /** Whether a gateway counts as dead when its transport says so. */
    AUTO_DOWN("auto_down", 1, 0, 1),
    /** Stored, without effect: gateways have health. */
    ROUTER_SENSITIVITY_PERCENTAGE("router_sensitivity_percentage", 100, 0, 100),
    /** Stored, without effect: {@link #ALIVE_ROUTER_CHECK_INTERVAL} counts. */
    DEAD_ROUTER_CHECK_INTERVAL("dead_router_check_interval", Integer.MIN_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE),
    /** Stored, without effect: {@link #ALIVE_ROUTER_CHECK_INTERVAL} counts. */
    LIVE_ROUTER_CHECK_INTERVAL("live_router_check_interval", Integer.MIN_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE),

    /** Whether the node forwards messages of others from its start on; by itself when a route names it as gateway. */
    FORWARDING("forwarding", 0, 0, "", "enabled", "disabled"),
    /** Router buffers for messages without payload; 0 means 2048. */
    TINY_BUFFERS("tiny_buffers", 0, 0, 1 << 20),
    /** Router buffers of a page; 0 means 16384. */
    SMALL_BUFFERS("small_buffers", 0, 0, 1 << 20),
    /** Router buffers of 1 MiB; 0 means 1024. */
    LARGE_BUFFERS("large_buffers", 0, 0, 1 << 20),
    /**
     * Router buffers that one peer NI may fill at a time, unless its net says so; 0 means as many as it has send
     * credits.
     */
    PEER_BUFFER_CREDITS("peer_buffer_credits", 0, 0, 1 << 20),

    /** Whether a reset of statistics includes health counters of NIs and peer NIs. */
    STATS_RESET_HEALTH("stats_reset_health", 1, 0, 0, 1);

    private final String text;
    private final int documents;
    private final int lustre;
    private final int min;
    private final int max;

    @SuppressWarnings("ImmutableEnumChecker") // Made by List.of.
    private final List<String> choices;

    Tunable(String text, int value, int min, int max) {
        this(text, value, value, min, max);
    }

    Tunable(String text, int documents, int lustre, int min, int max) {
        this.text = text;
        this.documents = documents;
        this.lustre = lustre;
        this.min = min;
        this.max = max;
        this.choices = List.of();
    }

    Tunable(String text, int documents, int lustre, String... values) {
        this.text = text;
        this.documents = documents;
        this.lustre = lustre;
        this.min = 0;
        this.max = values.length - 1;
        this.choices = List.of(values);
    }

    /** Returns its name in configuration. */
    public String text() {
        return text;
    }

    /** Returns its default in a profile. */
    public int defaultIn(CompatProfile profile) {
        return switch (profile) {
            case DOCUMENTS -> documents;
            case LUSTRE -> lustre;
            case RAILYARD ->
                switch (this) {
                    case HEALTH_RECOVERY_INCREMENT, SINGLE_RAIL_RESEND, SINGLE_RAIL_REMOTE_HEALTH, NMR_FAIL_UNHEALTHY ->
                        lustre;
                    case NI_HEALTH_ON_SILENCE -> 1;
                    default -> documents;
                };
        };
    }

    /** Tells whether its default is not the same in all profiles. */
    public boolean dependsOnProfile() {
        int usual = defaultIn(CompatProfile.RAILYARD);
        return documents != usual || lustre != usual;
    }

    /** Returns the least it may be. */
    public int min() {
        return min;
    }

    /** Returns the most it may be. */
    public int max() {
        return max;
    }

    /** Returns the names of its settings, counted from 0; empty if it is a number. */
    public List<String> choices() {
        return choices;
    }

    /** Returns what a setting is called: its name, or the number. */
    public String describe(int value) {
        return choices.isEmpty() ? Integer.toString(value) : choices.get(value);
    }

    /** Returns the setting with a name; for a number, the number. */
    public Optional<Integer> parse(String setting) {
        int named = choices.indexOf(setting);
        if (named >= 0) {
            return Optional.of(named);
        }
        try {
            return Optional.of(Integer.parseInt(setting));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Returns the tunable with a name. */
    public static Optional<Tunable> find(String name) {
        return Arrays.stream(values())
                .filter(tunable -> tunable.text.equals(name))
                .findFirst();
    }

    /** Tells whether it can not be changed while a node runs. */
    public boolean isFixedAtStart() {
        return switch (this) {
            case MULTI_RAIL, LOCK_PRIM_NID, FORWARDING, PEER_BUFFER_CREDITS -> true;
            default -> false;
        };
    }

    /** Tells whether it is accepted and has no effect. */
    public boolean isIgnored() {
        return this == ROUTER_SENSITIVITY_PERCENTAGE
                || this == DEAD_ROUTER_CHECK_INTERVAL
                || this == LIVE_ROUTER_CHECK_INTERVAL;
    }

    /** Says what it may be. */
    String expected() {
        return choices.isEmpty() ? min + "…" + max : String.join(" or ", choices);
    }
}
