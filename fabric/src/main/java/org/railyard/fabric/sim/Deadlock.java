package org.railyard.fabric.sim;

import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.Channel;
import org.railyard.fabric.proof.Flow;

/**
 * Packets that wait for each other for ever: each sits in a full buffer and waits for credits of the next one (spec 33
 * §5).
 *
 * @param timeNanos when it was found, ns of virtual time
 * @param cycle in order; the last waits for the channel of the first
 */
public record Deadlock(long timeNanos, List<Hold> cycle) {
    /** Takes a copy. */
    public Deadlock {
        cycle = List.copyOf(cycle);
    }

    /**
     * A packet at the head of a buffer.
     *
     * @param channel the channel whose buffer it sits in, at the far end of the link
     * @param wants the channel that it waits for
     * @param flow from where to where, on which SL
     * @param ageNanos since it was injected, ns
     * @param waitNanos since it came to the head of the buffer, ns
     */
    public record Hold(Channel channel, Channel wants, Flow flow, long ageNanos, long waitNanos) {}

    /** Returns it with names: one line for each packet, with switches, ports, VLs, sender, destination, SL and age. */
    public String text(Fabric fabric) {
        StringBuilder text = new StringBuilder(
                "deadlock at %,d ns: %d packets wait for each other".formatted(timeNanos, cycle.size()));
        for (Hold hold : cycle) {
            text.append("\n  in %s: %s, %,d ns old, waits for %s"
                    .formatted(
                            hold.channel.text(fabric), hold.flow.text(fabric), hold.ageNanos, hold.wants.text(fabric)));
        }
        return text.toString();
    }
}
