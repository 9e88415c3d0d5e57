package org.railyard.control;

/** What a router is like (spec 12 §4.5); it is changed with {@link GlobalOperation.Set}. */
public sealed interface RoutingOperation extends Operation {
    /** Shows buffers and whether the node forwards; nothing if it never did. */
    @CliCommand(value = "routing show", help = "show the buffers of a router and whether it forwards")
    record Show() implements RoutingOperation, Query {}
}
