package org.railyard.control;

/** The life of LNet in a service (spec 12 §2.1). */
public sealed interface LnetOperation extends Operation {
    @Override
    default String verb() {
        return "configure";
    }

    /**
     * Starts LNet; no effect if it runs.
     *
     * @param all also apply the module parameters {@code networks}, {@code ip2nets} and {@code routes}
     * @param large prefer IPv6 addresses of interfaces
     */
    record Configure(boolean all, boolean large) implements LnetOperation, Change {}

    /** Stops LNet and forgets its configuration; no effect if it does not run. */
    record Unconfigure() implements LnetOperation, Change {}

    /**
     * Tells what runs: version, whether LNet is configured, for how long a change waits to be confirmed. Answers
     * without LNet, too.
     */
    record Status() implements LnetOperation, Query {}
}
