package org.railyard.fabric.route;

/** What an engine answers: tables or a refusal. */
public sealed interface RoutingResult permits Routing, Refusal {}
