package org.railyard.lab.run;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps simulated stacks, whose failures are wanted, from filling the log. */
final class Quiet {
    private static final Logger STACKS = Logger.getLogger("org.railyard.lnet");

    private Quiet() {}

    static void on() {
        STACKS.setLevel(Level.OFF);
    }
}
