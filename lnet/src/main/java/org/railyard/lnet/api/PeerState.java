package org.railyard.lnet.api;

/** State bits of a peer (spec 11 §1.1). */
public final class PeerState {
    /** The peer is multi-rail. */
    public static final int MULTI_RAIL = 1;

    /** The peer, or this node, has discovery off. */
    public static final int NO_DISCOVERY = 1 << 1;

    /** The peer says that it forwards. */
    public static final int ROUTER_ENABLED = 1 << 2;

    /** Created by configuration. */
    public static final int CONFIGURED = 1 << 3;

    /** A discovery has completed. */
    public static final int DISCOVERED = 1 << 4;

    /** The last discovery failed; to be tried again at the next use. */
    public static final int REDISCOVER = 1 << 5;

    /** Queued for discovery, or in it. */
    public static final int DISCOVERING = 1 << 6;

    /** Ping info has been received and not merged yet. */
    public static final int DATA_PRESENT = 1 << 7;

    /** The list of NIDs is current. */
    public static final int NIDS_UPTODATE = 1 << 8;

    /** A ping is outstanding. */
    public static final int PING_SENT = 1 << 9;

    /** A push is outstanding. */
    public static final int PUSH_SENT = 1 << 10;

    /** A ping failed and is to be cleaned up. */
    public static final int PING_FAILED = 1 << 11;

    /** A push failed and is to be cleaned up. */
    public static final int PUSH_FAILED = 1 << 12;

    /** Ping regardless of state. */
    public static final int FORCE_PING = 1 << 13;

    /** Push regardless of state. */
    public static final int FORCE_PUSH = 1 << 14;

    /** A router check is under way. */
    public static final int ROUTER_DISCOVERY = 1 << 16;

    /** A router check has ended well at least once. */
    public static final int ROUTER_DISCOVERED = 1 << 17;

    /** To be deleted, and perhaps made anew. */
    public static final int MARK_DELETION = 1 << 18;

    /** An upper layer holds on to the primary NID: it may not change. */
    public static final int LOCK_PRIMARY = 1 << 20;

    /** Another peer claims NIDs that both have good reasons for. */
    public static final int BAD_CONFIG = 1 << 21;

    /** What is known and wanted of a peer, as opposed to what is under way. */
    public static final int LASTING = MULTI_RAIL
            | NO_DISCOVERY
            | ROUTER_ENABLED
            | CONFIGURED
            | DISCOVERED
            | REDISCOVER
            | NIDS_UPTODATE
            | FORCE_PING
            | FORCE_PUSH
            | LOCK_PRIMARY
            | BAD_CONFIG;

    private PeerState() {}
}
