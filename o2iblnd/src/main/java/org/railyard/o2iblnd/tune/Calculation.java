package org.railyard.o2iblnd.tune;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that follows from a {@link Scene}.
 *
 * @param scene what was asked about
 * @param negotiation how a connection from this node to a peer is agreed on
 * @param sizing of a connection; null if none can be made
 * @param registration the mode that is used; null if the device has none
 * @param figures results, in the order of connection, peer, node, cluster; without sizing only what does not depend on
 *     it
 * @param remarks what to know about it, errors last
 */
public record Calculation(
        Scene scene,
        Negotiation.Outcome negotiation,
        @Nullable QueueSizing sizing,
        @Nullable Registration registration,
        List<Figure> figures,
        List<Remark> remarks) {
    /** Copies the lists. */
    public Calculation {
        figures = List.copyOf(figures);
        remarks = List.copyOf(remarks);
    }

    /**
     * Returns a figure.
     *
     * @param fullName scope and name, as in {@code connection.queue_depth}
     * @throws IllegalArgumentException if there is none
     */
    public Figure figure(String fullName) {
        return figures.stream()
                .filter(figure -> figure.fullName().equals(fullName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no figure " + fullName));
    }

    /** Tells whether nodes like these connect and start. */
    public boolean works() {
        return remarks.stream().noneMatch(remark -> remark.severity() == Remark.Severity.ERROR);
    }
}
