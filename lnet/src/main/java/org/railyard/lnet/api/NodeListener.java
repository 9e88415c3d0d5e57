package org.railyard.lnet.api;

/** Hears what happens to a node; given to it with {@link LNetConfig.Builder#listener}. */
@FunctionalInterface
public interface NodeListener {
    /**
     * Something happened. Called by whatever thread finds out, which holds the node's lock: takes note and returns at
     * once, waits for nobody, and does not call the node. What repeats comes once a second, with how many it were.
     */
    void happened(NodeEvent event);
}
