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
 * @param sender is told what becomes of it
 */
public record Transmission(
        TrafficKind kind, PortPair route, long bytes, long earliest, long floor, FaultVerdict verdict, Sender sender) {
    /** Who is told what becomes of a transmission. */
    public interface Sender {
        /** Its first bit leaves the port, of each copy; where it is never queued, at once. */
        default void leaves() {
            // Nothing, for those who have no timer.
        }

        /** It is at the other port. */
        void arrives();

        /** It will not arrive, which is known now. */
        void isLost();
    }

    /** Tells whether it does not even leave. */
    boolean isLostAtOnce() {
        return verdict.dropped() || route.from().isBroken();
    }

    /** Returns how many of it are sent. */
    int copies() {
        return verdict.duplicated() ? 2 : 1;
    }
}
