package org.railyard.roce;

import java.util.function.BooleanSupplier;

/** Looks for the neighbour with an address until it has answered, or for some time. */
final class AddressLookup {
    /** So soon it is looked again, and then more and more seldom, ns. */
    private static final long FIRST_PAUSE_NANOS = 1_000_000;

    /** So long a neighbour has to say where it is, ns. */
    private static final long LIMIT_NANOS = 3_000_000_000L;

    private final CmAgent agent;
    private final RoceLoop loop;
    private final RocePort from;
    private final int ip;
    private final long deadline;
    private final BooleanSupplier wanted;
    private final Runnable found;
    private final Runnable notFound;

    /**
     * Makes a search that has not begun.
     *
     * @param limitNanos how long it may take at most, ns
     * @param wanted whether anybody waits for it still
     * @param found happens, as one of the others, once
     */
    AddressLookup(
            CmAgent agent,
            RoceLoop loop,
            RocePort from,
            int ip,
            long limitNanos,
            BooleanSupplier wanted,
            Runnable found,
            Runnable notFound) {
        this.agent = agent;
        this.loop = loop;
        this.from = from;
        this.ip = ip;
        this.deadline = agent.engine().now() + Math.min(limitNanos, LIMIT_NANOS);
        this.wanted = wanted;
        this.found = found;
        this.notFound = notFound;
    }

    void begin() {
        look(FIRST_PAUSE_NANOS);
    }

    private void look(long pause) {
        if (!wanted.getAsBoolean()) {
            return;
        }
        Datagrams.Reach reach = agent.reach(from, ip);
        if (reach == Datagrams.Reach.YES) {
            found.run();
        } else if (reach == Datagrams.Reach.NO || agent.engine().now() - deadline >= 0) {
            notFound.run();
        } else {
            loop.schedule(pause, () -> look(pause * 2));
        }
    }
}
