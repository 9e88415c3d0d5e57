package org.railyard.roce.api;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** What a provider has counted since it was opened. Written by its thread only; may be read from any thread. */
public final class RoceCounters {
    /** What is counted. */
    public enum Counter {
        /** Packets that were sent, of all kinds. */
        SENT,
        /** Packets that arrived and were good. */
        RECEIVED,
        /** Packets that were retransmitted. */
        RESENT,
        /** Packets that came again after they had been carried out; they are acknowledged again. */
        DUPLICATES,
        /** Packets that came before one that is missing. */
        OUT_OF_SEQUENCE,
        /** NAKs and RNR NAKs that were sent. */
        NAKS_SENT,
        /** NAKs and RNR NAKs that arrived. */
        NAKS_RECEIVED,
        /** Time-outs: no acknowledgement came in time. */
        TIMEOUTS,
        /** Datagrams the network did not take; they count as lost. */
        SEND_FAILURES,
        /**
         * Datagrams that are no packets of a connection: too short, too long, of another transport, an answer to what
         * is never asked, of an unknown version or partition.
         */
        MALFORMED,
        /** Packets with a wrong checksum. */
        BAD_CHECKSUM,
        /** Packets for a queue pair that does not exist, or is not connected. */
        UNKNOWN_QP,
        /** Packets and messages from somebody else than the peer of the connection, or who says to be somebody else. */
        SPOOFED,
        /** Writes to a wrong remote key or address. */
        ACCESS_ERRORS,
        /**
         * Packets that do not fit in what came before, messages that do not fit in their memory, and requests that are
         * not carried out, such as RDMA READ.
         */
        INVALID_REQUESTS,
        /** Acknowledgements of packets that are acknowledged already, or were never sent. */
        STALE_ANSWERS,
        /** Messages of the connection manager that were sent. */
        CM_SENT,
        /** Messages of the connection manager that arrived and were good. */
        CM_RECEIVED,
        /**
         * Messages of the connection manager that could not be read, or came when they made no sense; not those about a
         * connection that ended while they were on their way.
         */
        CM_REFUSED
    }

    private final AtomicLongArray values = new AtomicLongArray(Counter.values().length);

    /** Makes counters at 0. */
    public RoceCounters() {}

    /** Counts one; for the provider. */
    public void add(Counter counter) {
        int place = counter.ordinal();
        values.setOpaque(place, values.getPlain(place) + 1);
    }

    /** Returns one figure. */
    public long get(Counter counter) {
        return values.getOpaque(counter.ordinal());
    }

    /** Returns all figures. */
    public Map<Counter, Long> all() {
        Map<Counter, Long> all = new EnumMap<>(Counter.class);
        for (Counter each : Counter.values()) {
            all.put(each, get(each));
        }
        return all;
    }

    @Override
    public String toString() {
        return all().toString();
    }
}
