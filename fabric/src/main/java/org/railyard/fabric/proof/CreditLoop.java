package org.railyard.fabric.proof;

import java.util.List;

/**
 * A cycle of channels, the shortest that was found in its component: packets of each wait make the one before wait.
 *
 * @param waits in order; the last waits for the channel of the first
 * @param channelsInComponent channels of the strongly connected component that the cycle is in
 */
public record CreditLoop(List<Wait> waits, int channelsInComponent) {
    /** Takes a copy. */
    public CreditLoop {
        waits = List.copyOf(waits);
    }

    /**
     * A packet of a flow sits in a channel and wants the next one of the cycle.
     *
     * @param channel where it sits
     * @param flow a flow that does so
     */
    public record Wait(Channel channel, Flow flow) {}
}
