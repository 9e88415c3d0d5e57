package org.railyard.control;

/** The life of LNet in a service (spec 12 §2.1). */
public sealed interface LnetOperation extends Operation {
    @Override
    default String verb() {
        return "configure";
    }

    /** Starts LNet; no effect if it runs. */
    @CliCommand(value = "lnet configure", help = "start LNet; no effect if it runs")
    record Configure(
            @CliOption(letter = 'a', help = "also apply the module parameters networks, ip2nets and routes")
            boolean all,

            @CliOption(letter = 'l', help = "prefer IPv6 addresses of interfaces")
            boolean large)
            implements LnetOperation, Change {}

    /** Stops LNet and forgets its configuration; no effect if it does not run. */
    @CliCommand(value = "lnet unconfigure", help = "stop LNet and forget its configuration")
    record Unconfigure() implements LnetOperation, Change {}

    /**
     * Tells what runs: version, whether LNet is configured, for how long a change waits to be confirmed. Answers
     * without LNet, too.
     */
    record Status() implements LnetOperation, Query {}
}
