package org.railyard.fabric.torus;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.Routing;

/** Follows a multicast packet through the tables. */
final class GroupWalk {
    private GroupWalk() {}

    /** Returns the end ports that a packet of {@code sender} reaches, each as often as it does, and the sender. */
    static List<Integer> reached(Fabric fabric, Routing routing, int mlid, int sender) {
        MulticastTables.Tree tree = Objects.requireNonNull(routing.multicast().tree(mlid));
        List<Integer> reached = new ArrayList<>(List.of(sender));
        ArrayDeque<Integer> arrivals = new ArrayDeque<>();
        arrivals.add(fabric.peer(sender));
        int limit = fabric.portCount();
        while (!arrivals.isEmpty() && limit-- > 0) {
            int in = arrivals.remove();
            int at = fabric.nodeOf(in);
            for (int port = tree.ports(at).next(0);
                    port >= 0;
                    port = tree.ports(at).next(port + 1)) {
                int out = fabric.portIndex(at, port);
                if (port == 0) {
                    reached.add(out);
                } else if (out != in && fabric.isSwitch(fabric.nodeOf(fabric.peer(out)))) {
                    arrivals.add(fabric.peer(out));
                } else if (out != in) {
                    reached.add(fabric.peer(out));
                }
            }
        }
        return reached;
    }
}
