package org.railyard.node.o2ib;

import java.util.List;
import java.util.Map;
import org.railyard.o2iblnd.bond.InterfaceGroupView;
import org.railyard.o2iblnd.bond.RouteSetView;

/**
 * What the InfiniBand transport and its devices have for those who watch.
 *
 * @param groups its NIs
 * @param routes of the NIs to their peers
 * @param rejectsSent requests of others for connections that were rejected, by reason; empty without the transport
 * @param rejectsReceived requests of this node that others rejected, by reason
 * @param deviceKind what kind of devices they are, as in {@code --verbs}; empty without any
 * @param deviceEvents what the devices have counted since they were opened, by name; empty if they count nothing
 * @param deviceState what the devices have now, by name; empty if they tell nothing
 */
public record O2ibFigures(
        List<InterfaceGroupView> groups,
        List<RouteSetView> routes,
        Map<String, Long> rejectsSent,
        Map<String, Long> rejectsReceived,
        String deviceKind,
        Map<String, Long> deviceEvents,
        Map<String, Long> deviceState) {
    /** Without the transport. */
    public static final O2ibFigures NONE =
            new O2ibFigures(List.of(), List.of(), Map.of(), Map.of(), "", Map.of(), Map.of());

    /** Copies the lists. */
    public O2ibFigures {
        groups = List.copyOf(groups);
        routes = List.copyOf(routes);
    }
}
