package org.railyard.lnet.model;

import org.jspecify.annotations.Nullable;
import org.railyard.base.Invariant;

/**
 * Which credits a message has or waits for (spec 10 §7). A part of its message, used again with it; allocates nothing.
 *
 * <pre>
 * from      to        when
 * NONE      HELD      there was a credit
 * NONE      WAITING   there was none: the message waits in line at the pool
 * WAITING   HELD      its turn has come
 * WAITING   NONE      it leaves the line
 * HELD      NONE      it gives the credit back
 * </pre>
 */
public final class MessageCredits {
    /** How a message stands with one of the pools. */
    public enum Hold {
        /** It has no credit and wants none. */
        NONE,
        /** It waits in line for one. */
        WAITING,
        /** It has one. */
        HELD
    }

    private Hold peer = Hold.NONE;
    private Hold ni = Hold.NONE;
    private Hold router = Hold.NONE;

    /** The pool of the NI that it has a credit of or waits at; null if neither. */
    @Nullable
    Credits niPool;

    MessageCredits() {}

    void clear() {
        peer = Hold.NONE;
        ni = Hold.NONE;
        router = Hold.NONE;
        niPool = null;
    }

    private static Hold move(Hold from, Hold to) {
        if (from == Hold.HELD && to != Hold.NONE) {
            throw new IllegalStateException("a message that has a credit needs no other");
        }
        return to;
    }

    /** Says how it stands with the send credits of the peer NI. */
    public void setPeer(Hold hold) {
        peer = move(peer, hold);
    }

    /** Says how it stands with the send credits of the NI. */
    public void setNi(Hold hold) {
        ni = move(ni, hold);
    }

    /** Says how it stands with the router credits of the peer NI that it came from. */
    public void setRouter(Hold hold) {
        router = move(router, hold);
    }

    /** Returns how it stands with the send credits of the peer NI. */
    public Hold peer() {
        return peer;
    }

    /** Returns how it stands with the send credits of the NI. */
    public Hold ni() {
        return ni;
    }

    /** Returns how it stands with the router credits of the peer NI that it came from. */
    public Hold router() {
        return router;
    }

    /** Returns {@link Hold#HELD} for a credit that was there, {@link Hold#WAITING} otherwise. */
    public static Hold taken(boolean there) {
        return there ? Hold.HELD : Hold.WAITING;
    }

    void checkInvariants(Message message) {
        Invariant.check(
                ni == Hold.NONE || peer == Hold.HELD,
                message,
                "a credit of its NI, or a place in line there, only with one of its peer NI");
        Invariant.check((niPool != null) == (ni != Hold.NONE), message, "a pool of its NI while it has to do with one");
        Invariant.check(
                peer == Hold.NONE || (message.ni() != null && message.peerNi() != null),
                message,
                "a path while it has credits or waits for them");
        Invariant.check(
                (peer == Hold.WAITING || ni == Hold.WAITING) == (message.waiting() == Message.Waiting.FOR_CREDIT),
                message,
                "to wait in line if, and only if, it says so");
        Invariant.check(
                router == Hold.NONE || message.isForwarding(), message, "router credits only for what is passed on");
    }

    @Override
    public String toString() {
        return "peer " + peer + ", NI " + ni + ", router " + router;
    }
}
