package org.railyard.fabric.proven;

/** How routing a fabric ended. */
public sealed interface RoutingOutcome permits Refused, CreditLoops, Proven {}
