package org.railyard.ibverbs.standin;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Machines whose cards reach each other. Everything happens at once, under one lock. */
public final class StandInNetwork implements AutoCloseable {
    private final List<StandIn> machines = new ArrayList<>();

    /** Makes an empty network. */
    public StandInNetwork() {}

    /** Adds a machine with one card, which has one port with these addresses. */
    public StandIn add(String device, int... ips) {
        StandIn made = new StandIn(this, device, ips);
        synchronized (this) {
            machines.add(made);
        }
        return made;
    }

    @Nullable
    StandIn find(int ip) {
        return machines.stream().filter(each -> each.has(ip)).findFirst().orElse(null);
    }

    @Override
    public void close() {
        machines.forEach(StandIn::close);
    }
}
