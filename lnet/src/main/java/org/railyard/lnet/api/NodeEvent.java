package org.railyard.lnet.api;

import org.railyard.base.Errno;
import org.railyard.lnet.nid.Nid;

/**
 * Something that happened to a node. Its text is made when it is asked for. Immutable.
 *
 * @param wallNanos when, ns since 1970-01-01T00:00Z; of several in one the last
 * @param kind what
 * @param nid the NI or peer NI that it is about, or that a message left from; {@link Nid#ANY} if there is none, or if
 *     they were too many to be kept apart
 * @param other a second NI that takes part, such as the one that a message was for; {@link Nid#ANY} if there is none
 * @param before what was there before: a health, or the number of the attempt that a resend is
 * @param now what is there now: a health, a negative errno, or the number of attempts at most
 * @param detail more about it: a reason, or a name; may be empty
 * @param count how many of this kind between these NIs it stands for, 1 or more
 */
public record NodeEvent(
        long wallNanos, NodeEventKind kind, Nid nid, Nid other, int before, int now, String detail, int count) {

    /** Tells whether it is a failure. */
    public boolean isBad() {
        return kind.isBad() || isHealth() && now < before;
    }

    private boolean isHealth() {
        return kind == NodeEventKind.NI_HEALTH || kind == NodeEventKind.PEER_HEALTH;
    }

    /** Returns what happened, in one line. */
    public String text() {
        String often = count == 1 ? "" : ", " + count + " times within a second";
        return (nid.isAny() && other.isAny() ? "the same of further NIDs" : once()) + often;
    }

    private String once() {
        return switch (kind) {
            case NI_ADDED -> "NI " + nid + " on " + detail + " is new";
            case NI_REMOVED -> "NI " + nid + " is removed";
            case NI_UP, NI_DOWN -> "NI " + nid + (kind.isBad() ? " is down: " : " is up again: ") + detail;
            case NI_HEALTH -> "NI " + nid + ": health " + before + " → " + now;
            case DEVICE_UP -> "the device of NI " + nid + " works again";
            case DEVICE_DOWN -> "the device of NI " + nid + " failed, or lost its link";
            case DEVICE_DEGRADED -> "the device of NI " + nid + " works worse than it should";
            case PEER_ADDED -> "peer " + nid + " is new";
            case PEER_REMOVED ->
                "peer " + nid + (other.isAny() ? " is forgotten" + because() : " became part of peer " + other);
            case PEER_DISCOVERED -> "peer " + nid + " is discovered: " + now + (now == 1 ? " NID" : " NIDs");
            case DISCOVERY_FAILED -> "discovery of peer " + nid + " failed" + because();
            case PEER_HEALTH -> "peer NI " + nid + ": health " + before + " → " + now;
            case CONNECTION_UP -> "connected with peer NI " + nid + " from " + other;
            case CONNECTION_DOWN -> "no connection with peer NI " + nid + " from " + other;
            case MESSAGE_FAILED -> message(" failed: " + detail + because());
            case MESSAGE_RESENT ->
                message(" was sent again, after " + detail + ": attempt " + before + " of at most " + now);
            case MESSAGE_EXPIRED -> "a message to " + other + " was not sent in time";
            case MESSAGE_DROPPED -> "a message from " + other + " was dropped: " + detail;
            case RESPONSE_EXPIRED -> "no answer in time to a " + detail + " sent to " + other;
            case GATEWAY_UP, GATEWAY_DOWN -> "gateway " + nid + (kind.isBad() ? " is down: " : " is up: ") + detail;
            case ROUTE_UP, ROUTE_DOWN ->
                "a route by gateway " + nid + (kind.isBad() ? " is down: " : " is up: ") + detail;
        };
    }

    private String message(String what) {
        return "a message from " + nid + " to " + other + what;
    }

    private String because() {
        return now < 0 ? ": " + Errno.describe(now) : "";
    }
}
