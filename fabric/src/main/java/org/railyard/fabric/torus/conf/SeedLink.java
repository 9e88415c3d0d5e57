package org.railyard.fabric.torus.conf;

/**
 * A link of a seed: going from one switch to the other is one step in the direction the seed names it for (spec 30
 * §1.2).
 *
 * @param from GUID of the seed switch
 * @param to GUID of its neighbour
 */
public record SeedLink(long from, long to) {}
