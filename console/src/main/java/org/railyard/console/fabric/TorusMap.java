package org.railyard.console.fabric;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.railyard.base.text.Doc;
import org.railyard.fabric.analysis.LinkLoad;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;

/** The torus as it is drawn: switches at their places, and the links between neighbours. Immutable. */
final class TorusMap {
    private final String name;
    private final Fabric fabric;
    private final TorusLayout layout;
    private final List<Link> links = new ArrayList<>();
    private final List<Integer> hosts = new ArrayList<>();

    /**
     * Neighbours on the torus.
     *
     * @param from a switch
     * @param to its neighbour in the direction plus
     * @param dimension 0 to 2
     * @param ports sending ports of {@code from} whose cables join them; none if all are missing or down
     */
    record Link(int from, int to, int dimension, List<Integer> ports) {}

    /**
     * Makes one.
     *
     * @param fabric with LIDs
     */
    TorusMap(String name, Fabric fabric, TorusLayout layout) {
        this.name = name;
        this.fabric = fabric;
        this.layout = layout;
        for (int position = 0; position < layout.shape().positions(); position++) {
            for (int dimension = 0; dimension < TorusShape.DIMENSIONS; dimension++) {
                link(position, dimension);
            }
        }
        for (int port = 0; port < fabric.portCount(); port++) {
            if (isHost(port)) {
                hosts.add(port);
            }
        }
    }

    private void link(int position, int dimension) {
        TorusShape shape = layout.shape();
        int next = shape.step(position, TorusGroup.plus(dimension));
        int from = layout.switchAt(position);
        // With two places in a dimension the way there and the way on are the same cables.
        boolean again = shape.radix(dimension) == 2 && shape.coordinate(position, dimension) == 1;
        if (next < 0 || next == position || again || from == TorusLayout.NONE) {
            return;
        }
        int to = layout.switchAt(next);
        if (to != TorusLayout.NONE) {
            links.add(new Link(from, to, dimension, ports(from, to)));
        }
    }

    private List<Integer> ports(int from, int to) {
        List<Integer> ports = new ArrayList<>();
        for (int number = 1; number <= fabric.ports(from); number++) {
            int port = fabric.portIndex(from, number);
            if (fabric.peer(port) != Fabric.NONE && fabric.nodeOf(fabric.peer(port)) == to) {
                ports.add(port);
            }
        }
        return ports;
    }

    private boolean isHost(int port) {
        return fabric.isEndPort(port)
                && fabric.lid(port) != 0
                && !fabric.isSwitch(fabric.nodeOf(port))
                && fabric.switchOf(port) != Fabric.NONE;
    }

    Fabric fabric() {
        return fabric;
    }

    TorusLayout layout() {
        return layout;
    }

    List<Link> links() {
        return links;
    }

    /** Returns the port indices of CAs and routers that can be routed to. */
    List<Integer> hosts() {
        return hosts;
    }

    /** Returns the ways of each link, there and back, in the order of {@link #links}. */
    List<Object> load(LinkLoad load) {
        List<Object> all = new ArrayList<>();
        for (Link link : links) {
            long there = 0;
            long back = 0;
            for (int port : link.ports()) {
                there += load.of(port);
                back += load.of(fabric.peer(port));
            }
            all.add(List.of(there, back));
        }
        return all;
    }

    /** Returns all that does not change. */
    Map<String, Object> document() {
        TorusShape shape = layout.shape();
        Map<Integer, Integer> served = new LinkedHashMap<>();
        hosts.forEach(port -> served.merge(fabric.switchOf(port), 1, Integer::sum));
        List<Object> switches = new ArrayList<>();
        List<Object> gaps = new ArrayList<>();
        for (int position = 0; position < shape.positions(); position++) {
            List<Integer> at = List.of(
                    shape.coordinate(position, 0), shape.coordinate(position, 1), shape.coordinate(position, 2));
            int sw = layout.switchAt(position);
            if (sw == TorusLayout.NONE) {
                gaps.add(at);
            } else {
                switches.add(new Doc()
                        .put("id", sw)
                        .put("name", fabric.description(sw))
                        .put("guid", "0x%016x".formatted(fabric.guid(sw)))
                        .put("at", at)
                        .put("hosts", served.getOrDefault(sw, 0))
                        .map());
            }
        }
        return new Doc()
                .put("name", name)
                .put("shape", shape.toString())
                .put("radix", List.of(shape.radix(0), shape.radix(1), shape.radix(2)))
                .put("switches", switches)
                .put("gaps", gaps)
                .put("links", links.stream().map(this::document).toList())
                .put("hosts", hosts.stream().map(this::host).toList())
                .map();
    }

    private List<Object> document(Link link) {
        return List.of(link.from(), link.to(), link.dimension(), link.ports().size());
    }

    private List<Object> host(int port) {
        return List.of(fabric.lid(port), fabric.portName(port), fabric.switchOf(port));
    }
}
