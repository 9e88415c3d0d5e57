package org.railyard.fabric.proof;

import java.util.ArrayList;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.DestinationClasses.Destination;
import org.railyard.fabric.route.Routing;

/**
 * Puts destinations into an order in which neighbours are reached by like ways: from switch to switch along the cables,
 * each time to the one that a sample of table entries and SLs says the most alike of. On a torus that goes round one
 * ring after the other.
 */
final class LikeDestinations {
    /** Switches whose entries are compared, and SL classes of senders, at most so many each. */
    private static final int SAMPLES = 32;

    private final Fabric fabric;
    private final List<List<Destination>> bySwitch = new ArrayList<>();
    /** By switch with destinations: entries towards the first of them, then SLs; empty for others. */
    private final char[][] said;

    private LikeDestinations(Fabric fabric, Routing routing, List<Destination> destinations) {
        this.fabric = fabric;
        said = new char[fabric.switchCount()][];
        for (int sw = 0; sw < said.length; sw++) {
            bySwitch.add(new ArrayList<>());
        }
        for (Destination destination : destinations) {
            bySwitch.get(destination.sw()).add(destination);
        }
        for (int sw = 0; sw < said.length; sw++) {
            said[sw] = bySwitch.get(sw).isEmpty()
                    ? new char[0]
                    : sample(routing, bySwitch.get(sw).getFirst().lid());
        }
    }

    /** Returns the same destinations. */
    static List<Destination> sorted(Fabric fabric, Routing routing, List<Destination> destinations) {
        return new LikeDestinations(fabric, routing, destinations).walk();
    }

    private static char[] sample(Routing routing, int lid) {
        int switches = routing.forwarding().switches();
        int asked = Math.min(SAMPLES, switches);
        int classes = Math.min(SAMPLES, routing.sls().classes());
        int slClass = routing.sls().classOf(lid);
        char[] said = new char[asked + classes];
        for (int i = 0; i < asked; i++) {
            said[i] = (char) routing.forwarding().port(spread(i, asked, switches), lid);
        }
        for (int i = 0; i < classes && slClass >= 0; i++) {
            said[asked + i] = (char)
                    routing.sls().classSl(spread(i, classes, routing.sls().classes()), slClass, 0);
        }
        return said;
    }

    /** Returns places that are not evenly spaced: these could be all of one plane. */
    private static int spread(int i, int of, int all) {
        return (int) ((long) i * all / of) + i % (all / of);
    }

    /** Goes on to a neighbour as long as there is one, then back to where there was another one. */
    private List<Destination> walk() {
        List<Destination> sorted = new ArrayList<>();
        boolean[] been = new boolean[said.length];
        int[] way = new int[said.length + 1];
        for (int start = 0; start < said.length; start++) {
            int depth = 0;
            int next = been[start] ? Fabric.NONE : start;
            while (next != Fabric.NONE || depth > 0) {
                if (next == Fabric.NONE) {
                    depth--;
                } else {
                    been[next] = true;
                    sorted.addAll(bySwitch.get(next));
                    way[depth++] = next;
                }
                next = depth == 0 ? Fabric.NONE : mostAlike(way[depth - 1], been);
            }
        }
        return sorted;
    }

    private int mostAlike(int sw, boolean[] been) {
        int best = Fabric.NONE;
        int least = Integer.MAX_VALUE;
        for (int port = 1; port <= fabric.ports(sw); port++) {
            int peer = fabric.peer(fabric.portIndex(sw, port));
            if (peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer)) && !been[fabric.nodeOf(peer)]) {
                int unlike = unlike(said[sw], said[fabric.nodeOf(peer)]);
                if (unlike < least) {
                    least = unlike;
                    best = fabric.nodeOf(peer);
                }
            }
        }
        return best;
    }

    private static int unlike(char[] one, char[] other) {
        int count = Math.abs(one.length - other.length);
        for (int i = 0; i < Math.min(one.length, other.length); i++) {
            count += one[i] == other[i] ? 0 : 1;
        }
        return count;
    }
}
