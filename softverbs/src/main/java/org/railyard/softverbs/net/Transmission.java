package org.railyard.softverbs.net;

/**
 * Something that one port sends to another: a message, or a packet.
 *
 * @param kind what it is
 * @param route from where to where
 * @param bytes of payload and headers
 * @param earliest when it may leave, ns of virtual time
 * @param floor when it may arrive: not before what went the same way, ns of virtual time
 * @param verdict what the fault rules make of it
 * @param departure happens when its first bit leaves the port, of each copy; where it is never queued, at once
 * @param arrival happens at the other port
 * @param loss happens instead, when it is known
 */
public record Transmission(
        TrafficKind kind,
        PortPair route,
        long bytes,
        long earliest,
        long floor,
        FaultVerdict verdict,
        Runnable departure,
        Runnable arrival,
        Runnable loss) {
    /** What a departure is to those who have no timer. */
    public static final Runnable UNNOTICED = () -> {};

    /** Tells whether it does not even leave. */
    boolean isLostAtOnce() {
        return verdict.dropped() || route.from().isBroken();
    }

    /** Returns how many of it are sent. */
    int copies() {
        return verdict.duplicated() ? 2 : 1;
    }
}
