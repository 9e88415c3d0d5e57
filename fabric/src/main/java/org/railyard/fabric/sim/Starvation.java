package org.railyard.fabric.sim;

import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.Channel;

/**
 * Packets that nothing will ever move, though none of them waits for itself as in a {@link Deadlock}: those before them
 * wait for an end port that takes none, or for a VL that a port never serves (spec 33 §3(7), §5).
 *
 * @param timeNanos when everything stood still, ns of virtual time
 * @param packets that do not move
 * @param ends end ports that take nothing, ascending
 * @param unserved channels that are asked for, of VLs to which no table of the port gives a weight, ascending
 */
public record Starvation(long timeNanos, int packets, List<End> ends, List<Channel> unserved) {
    /** Most end ports, and most channels, that {@link #text} names. */
    public static final int MAX_LINES = 8;

    /** Takes copies. */
    public Starvation {
        ends = List.copyOf(ends);
        unserved = List.copyOf(unserved);
    }

    /**
     * An end port that takes nothing.
     *
     * @param port its index
     * @param buffered packets in its buffers
     */
    public record End(int port, int buffered) {}

    /** Returns it with names: a line for what is waited for, and how much is behind it. */
    public String text(Fabric fabric) {
        StringBuilder text =
                new StringBuilder("starvation at %,d ns: %,d packets wait for ever".formatted(timeNanos, packets));
        int buffered = 0;
        for (End end : ends) {
            buffered += end.buffered;
        }
        for (End end : ends.subList(0, Math.min(MAX_LINES, ends.size()))) {
            text.append(
                    "\n  %s takes none: %,d of them in its buffers".formatted(fabric.portName(end.port), end.buffered));
        }
        for (Channel channel : unserved.subList(0, Math.min(MAX_LINES, unserved.size()))) {
            text.append("\n  %s: no VL arbitration table of this port gives vl %d a weight"
                    .formatted(channel.text(fabric), channel.vl()));
        }
        int more = Math.max(0, ends.size() - MAX_LINES) + Math.max(0, unserved.size() - MAX_LINES);
        if (more > 0) {
            text.append("\n  and %,d more".formatted(more));
        }
        return text.append("\n  %,d packets wait for them, or behind such as do".formatted(packets - buffered))
                .toString();
    }
}
