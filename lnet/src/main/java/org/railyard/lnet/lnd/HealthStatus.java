package org.railyard.lnet.lnd;

/**
 * What a transport says about a completed message beyond its status (spec 10 §11.1). The ordinal is the number used in
 * fault masks.
 *
 * <p>A transport must always set both, and they must agree: {@link #OK} goes with status 0, everything else with a
 * negative status.
 */
public enum HealthStatus {
    /** Sent or received. */
    OK,
    /** Operation interrupted locally. */
    LOCAL_INTERRUPT,
    /** Dropped before leaving. */
    LOCAL_DROPPED,
    /** Connection aborted locally. */
    LOCAL_ABORTED,
    /** The local stack has no route. */
    LOCAL_NO_ROUTE,
    /** Other local failure, not worth a retry. */
    LOCAL_ERROR,
    /** Waited too long on a local queue, never posted. */
    LOCAL_TIMEOUT,
    /** The peer refused or broke. */
    REMOTE_ERROR,
    /** Peer or path dropped it before processing. */
    REMOTE_DROPPED,
    /** Posted and completed, but the peer's LND did not acknowledge. */
    REMOTE_TIMEOUT,
    /** Posted, never completed. */
    NETWORK_TIMEOUT
}
