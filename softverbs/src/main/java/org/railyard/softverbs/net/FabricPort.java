package org.railyard.softverbs.net;

import org.railyard.verbs.AsyncEvent;

/** A port of a card on a simulated fabric. Identity is object identity. */
public abstract class FabricPort {
    private final int number;
    private final int fabricPort;
    private final int lid;
    /** When the last bit of what was handed to it leaves, ns of virtual time. */
    private long busyUntil;

    /** Makes a port: its number on the card, its index in the fabric, its LID. */
    protected FabricPort(int number, int fabricPort, int lid) {
        this.number = number;
        this.fabricPort = fabricPort;
        this.lid = lid;
    }

    /** Tells whether the card is broken. */
    protected abstract boolean isBroken();

    /** Tells the software of the card what happened to the port. */
    protected abstract void raise(AsyncEvent.Type type);

    /** Returns its number on the card, from 1. */
    public final int number() {
        return number;
    }

    /** Returns its index in the fabric. */
    public final int fabricPort() {
        return fabricPort;
    }

    /** Returns its LID. */
    public final int lid() {
        return lid;
    }

    /** Takes the wire for a message; returns when its last bit has left, ns. */
    final long occupy(long from, long spanNanos) {
        busyUntil = Math.max(from, busyUntil) + spanNanos;
        return busyUntil;
    }
}
