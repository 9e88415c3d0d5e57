package org.railyard.lab.run;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** What the stacks of simulated nodes log: their failures are wanted, and the journal has them. */
public final class StackLog {
    /** Held here, since a logger that nobody holds forgets its level. */
    private static final List<Logger> STACKS = List.of(
            Logger.getLogger("org.railyard.lnet"),
            Logger.getLogger("org.railyard.o2iblnd"),
            Logger.getLogger("org.railyard.selftest"));

    private StackLog() {}

    /** Keeps all stacks of this process from logging. Thread-safe. */
    public static void silence() {
        STACKS.forEach(logger -> logger.setLevel(Level.OFF));
    }
}
