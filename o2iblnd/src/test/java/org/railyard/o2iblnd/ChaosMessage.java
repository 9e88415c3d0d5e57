package org.railyard.o2iblnd;

import org.jspecify.annotations.Nullable;
import org.railyard.conformance.TestMessage;
import org.railyard.lnet.lnd.HealthStatus;

/** A message of a {@link ChaosRun}, a PUT or a GET, and what became of it. */
final class ChaosMessage {
    private final long bits;
    private final int from;
    private final int to;
    private final boolean get;
    private final int length;
    private final long begun;

    /** What its sender was told, ns of virtual time; health is null as long as it was not. */
    long ended;

    int status;

    @Nullable
    HealthStatus health;

    /** What the stack of its receiver saw. */
    int arrivals;

    boolean stored;

    /** How many bytes answered a GET; −1 for none. */
    int replied = -1;

    /** What the stack that sent a GET was told of the REPLY. */
    int replyLength = -1;

    boolean replyStored;

    @Nullable
    TestMessage reply;

    ChaosMessage(long bits, int from, int to, boolean get, int length, long begun) {
        this.bits = bits;
        this.from = from;
        this.to = to;
        this.get = get;
        this.length = length;
        this.begun = begun;
    }

    long bits() {
        return bits;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    boolean isGet() {
        return get;
    }

    long begun() {
        return begun;
    }

    boolean isDelivered() {
        return health == HealthStatus.OK && status == 0;
    }

    @Override
    public String toString() {
        return (get ? "GET " : "PUT ") + bits + " of " + length + " bytes " + from + "→" + to + " sent at "
                + begun / 1000 + " µs";
    }
}
