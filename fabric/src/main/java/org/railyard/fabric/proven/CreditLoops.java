package org.railyard.fabric.proven;

import org.railyard.fabric.proof.CheckReport;

/**
 * There are tables, but they close a credit loop: whoever loads them into switches risks a deadlock.
 *
 * @param tables the tables
 * @param report the loops
 */
public record CreditLoops(Tables tables, CheckReport report) implements RoutingOutcome {}
