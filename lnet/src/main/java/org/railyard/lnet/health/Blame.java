package org.railyard.lnet.health;

import org.railyard.lnet.lnd.HealthStatus;

/** Whose health a failed message lowers (spec 10 §11.1). */
public enum Blame {
    /** There was no failure. */
    NOBODY,
    /** The local NI. */
    LOCAL,
    /** The peer NI. */
    REMOTE,
    /** Either may be: both. */
    BOTH;

    /** Returns whose health a status lowers. */
    public static Blame of(HealthStatus status) {
        return switch (status) {
            case OK -> NOBODY;
            case LOCAL_INTERRUPT, LOCAL_DROPPED, LOCAL_ABORTED, LOCAL_NO_ROUTE, LOCAL_ERROR, LOCAL_TIMEOUT -> LOCAL;
            case REMOTE_ERROR, REMOTE_DROPPED, REMOTE_TIMEOUT -> REMOTE;
            case NETWORK_TIMEOUT -> BOTH;
        };
    }

    /** Tells whether the local NI loses health. */
    public boolean isLocal() {
        return this == LOCAL || this == BOTH;
    }

    /** Tells whether the peer NI loses health. */
    public boolean isRemote() {
        return this == REMOTE || this == BOTH;
    }
}
