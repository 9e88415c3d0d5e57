package org.railyard.lnet.health;

import org.railyard.lnet.lnd.HealthStatus;

/** Whose health a failed message lowers (spec 10 §11.1). */
enum Blame {
    NOBODY,
    LOCAL,
    REMOTE,
    BOTH;

    static Blame of(HealthStatus status) {
        return switch (status) {
            case OK -> NOBODY;
            case LOCAL_INTERRUPT, LOCAL_DROPPED, LOCAL_ABORTED, LOCAL_NO_ROUTE, LOCAL_ERROR, LOCAL_TIMEOUT -> LOCAL;
            case REMOTE_ERROR, REMOTE_DROPPED, REMOTE_TIMEOUT -> REMOTE;
            case NETWORK_TIMEOUT -> BOTH;
        };
    }

    boolean isLocal() {
        return this == LOCAL || this == BOTH;
    }

    boolean isRemote() {
        return this == REMOTE || this == BOTH;
    }
}
