package org.railyard.softverbs.net;

/**
 * What happens to messages besides links, tables and fault rules, decided message by message. Whoever runs a simulation
 * may provide one.
 */
public interface LossModel {
    /** Everything arrives, and in time. */
    LossModel FAIR = (_, _) -> false;

    /**
     * Decides whether something that one port sends to another gets lost. Asked once for each message, so it may draw
     * random numbers.
     *
     * @param from the port that sends
     * @param to the port that it is for
     */
    boolean loses(FabricPort from, FabricPort to);
}
