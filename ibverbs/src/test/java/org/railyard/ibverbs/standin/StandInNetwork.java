package org.railyard.ibverbs.standin;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Machines whose cards reach each other. Everything happens at once, under one lock. */
public final class StandInNetwork implements AutoCloseable {
    private final List<StandIn> machines = new ArrayList<>();

    /** Makes an empty network. */
    public StandInNetwork() {}

    /** Adds a machine with one card, which has one port and one address. */
    public StandIn add(String device, int ip) {
        StandIn made = new StandIn(this, device, ip);
        synchronized (this) {
            machines.add(made);
        }
        return made;
    }

    @Nullable
    StandIn find(int ip) {
        return machines.stream().filter(each -> each.ip() == ip).findFirst().orElse(null);
    }

    @Override
    public void close() {
        machines.forEach(StandIn::close);
    }
}
