package org.railyard.softverbs;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Asks for the port with an address, as ARP does: again and again, until it answers or time is over. A port answers
 * while its link is up.
 */
final class AddressLookup {
    /** From one question to the next, ns. */
    static final long PAUSE_NANOS = 1_000_000_000L;

    private final SoftFabric fabric;
    private final SoftPort own;
    private final int ip;
    private final long deadline;
    private final BooleanSupplier wanted;
    private final Consumer<SoftPort> found;
    private final Runnable notFound;

    /**
     * Makes a search that has not begun.
     *
     * @param own the port that asks
     * @param limitNanos how long it may take at most, ns
     * @param wanted whether anybody waits for it still
     * @param found happens, or the other one, once
     */
    AddressLookup(
            SoftFabric fabric,
            SoftPort own,
            int ip,
            long limitNanos,
            BooleanSupplier wanted,
            Consumer<SoftPort> found,
            Runnable notFound) {
        this.fabric = fabric;
        this.own = own;
        this.ip = ip;
        this.deadline = fabric.time().now() + limitNanos;
        this.wanted = wanted;
        this.found = found;
        this.notFound = notFound;
    }

    /** Asks; the answer takes a moment. */
    void ask() {
        SoftInterface other = fabric.find(ip);
        Subnet subnet = fabric.subnet();
        if (other != null
                && subnet.isUp(own.fabricPort())
                && subnet.isUp(other.port().fabricPort())) {
            later(fabric.settings().managerDelay(), () -> found.accept(other.port()));
            return;
        }
        long left = deadline - fabric.time().now();
        if (left > PAUSE_NANOS) {
            later(PAUSE_NANOS, this::ask);
        } else {
            later(Math.max(0, left), notFound);
        }
    }

    private void later(long delayNanos, Runnable happening) {
        Timeline time = fabric.time();
        time.at(time.now() + delayNanos, () -> {
            if (wanted.getAsBoolean()) {
                happening.run();
            }
        });
    }
}
