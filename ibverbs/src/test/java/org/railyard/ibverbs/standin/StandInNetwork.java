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

    /**
     * Ends the machines, whose users have gone.
     *
     * @throws AssertionError if something was not given back
     */
    public void closeUnused() {
        List<String> left =
                machines.stream().flatMap(each -> each.leftovers().stream()).toList();
        close();
        if (!left.isEmpty()) {
            throw new AssertionError("not given back: " + left);
        }
    }

    @Override
    public void close() {
        machines.forEach(StandIn::close);
    }
}
