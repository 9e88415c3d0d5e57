package org.railyard.lab.observe;

import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.MessageType;

/** One message on one way, from the LND of a node to the next. Belongs to the thread of its run. */
public final class Passage {
    /** Number of a machine that nobody knows. */
    public static final int NOBODY = -1;

    /** What became of it. */
    public enum End {
        /** The LND has it, or was done with it and it has not arrived: it is on its way, or lost. */
        UNDER_WAY,
        /** The next node has it. */
        ARRIVED,
        /** The LND did not take it. */
        REFUSED,
        /** The LND gave it back as failed, and it did not arrive. */
        FAILED
    }

    private final long start;
    private final int from;
    private final Nid by;
    private final Nid to;
    private final MessageType type;
    private final long id;
    private final int bytes;
    private final int attempt;
    private long end = -1;
    private int at = NOBODY;
    private End how = End.UNDER_WAY;
    private int status;
    private HealthStatus health = HealthStatus.OK;

    Passage(long start, int from, Nid by, Nid to, MessageType type, long id, int bytes, int attempt) {
        this.start = start;
        this.from = from;
        this.by = by;
        this.to = to;
        this.type = type;
        this.id = id;
        this.bytes = bytes;
        this.attempt = attempt;
    }

    void arrived(long now, int machine) {
        end = now;
        at = machine;
        how = End.ARRIVED;
    }

    void refused(long now, int error) {
        end = now;
        how = End.REFUSED;
        status = error;
    }

    void returned(long now, int error, HealthStatus judged) {
        status = error;
        health = judged;
        if (error != 0 && how == End.UNDER_WAY) {
            end = now;
            how = End.FAILED;
        } else if (end < 0) {
            end = now;
        }
    }

    /** Returns when the stack handed it to the LND, ns of virtual time. */
    public long start() {
        return start;
    }

    /** Returns when it arrived, or was given back; -1 for not yet. Nanoseconds of virtual time. */
    public long end() {
        return end;
    }

    /** Returns the number of the machine that sends. */
    public int from() {
        return from;
    }

    /** Returns the number of the machine where it arrived, or {@link #NOBODY}. */
    public int at() {
        return at;
    }

    /** Returns the NID of the NI that sends. */
    public Nid by() {
        return by;
    }

    /** Returns the NID that it is sent to: the destination's or a router's. */
    public Nid to() {
        return to;
    }

    /** Returns its type. */
    public MessageType type() {
        return type;
    }

    /** Returns the number of its call; 0 for a REPLY and for selftest, below 0 for LNet's own. */
    public long id() {
        return id;
    }

    /** Returns the length of its payload. */
    public int bytes() {
        return bytes;
    }

    /** Returns which attempt of this node it is, from 1; 1 where its call is not known. */
    public int attempt() {
        return attempt;
    }

    /** Returns what became of it. */
    public End how() {
        return how;
    }

    /** Returns the errno that the LND gave it back with, below 0; 0 for none. */
    public int status() {
        return status;
    }

    /** Returns what the LND thinks of the way. */
    public HealthStatus health() {
        return health;
    }

    @Override
    public String toString() {
        return "%s #%d of %d bytes from %s at %d ns to %s, try %d: %s at %d ns, status %d, %s"
                .formatted(type, id, bytes, by, start, to, attempt, how, end, status, health);
    }
}
