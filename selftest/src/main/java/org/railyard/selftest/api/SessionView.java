package org.railyard.selftest.api;

/**
 * The session of a console.
 *
 * @param name its name
 * @param key what those must know who use it
 * @param features feature bits; while no node has said its own, those that were asked for
 * @param timeoutSeconds after so long without use it ends, s
 * @param force whether it may take nodes from other sessions
 * @param id its name on the wire
 * @param groups how many groups it has
 * @param batches how many batches
 */
public record SessionView(
        String name, int key, int features, int timeoutSeconds, boolean force, String id, int groups, int batches) {}
