package org.railyard.cli.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.NodeType;

/** Finds nodes and end ports by what people call them: description, GUID, LID, description and port. */
final class EndPortFinder {
    private static final int MAX_NAMED = 5;

    private final Fabric fabric;

    EndPortFinder(Fabric fabric) {
        this.fabric = fabric;
    }

    /**
     * Returns the end port: of a switch its port 0, of a node with several ports in use the one that is named with
     * {@code /N}.
     *
     * @throws FabricInputException if there is none, or several
     */
    int find(String name) {
        if (name.isBlank()) {
            throw new FabricInputException(
                    "found an empty name, expected that of an end port: description, DESCRIPTION/PORT, GUID or LID");
        }
        List<Integer> found = lid(number(name));
        if (found.isEmpty()) {
            found = portGuid(name);
        }
        if (found.isEmpty()) {
            found = ofNodes(nodes(name), -1);
        }
        if (found.isEmpty()) {
            // No GUID, so a LID as files and other tools write it.
            found = lid(hexNumber(name));
        }
        int slash = name.lastIndexOf('/');
        if (found.isEmpty() && slash > 0 && number(name.substring(slash + 1)) >= 0) {
            found = ofNodes(nodes(name.substring(0, slash)), number(name.substring(slash + 1)));
        }
        if (found.isEmpty()) {
            throw new FabricInputException(name
                    + ": no end port in a cable has this description, GUID or LID; give one of these, or"
                    + " DESCRIPTION/PORT");
        }
        if (found.size() > 1) {
            throw new FabricInputException("%s: that may be %s; give the GUID of a port, a LID, or DESCRIPTION/PORT"
                    .formatted(name, names(found)));
        }
        return found.getFirst();
    }

    /** Returns the LID by which an end port is named, else its first: one with an LMC has several. */
    int lid(String name, int port) {
        return IntStream.of(number(name), hexNumber(name))
                .filter(lid -> lid > 0 && fabric.portOfLid(lid) == port)
                .findFirst()
                .orElse(fabric.lid(port));
    }

    /** Returns all end ports of CAs and routers that have a LID and are in a cable. */
    List<Integer> hosts() {
        return fabric.hosts();
    }

    /**
     * Returns the switch of this description or GUID.
     *
     * @throws FabricInputException if there is none, or several
     */
    int findSwitch(String name) {
        List<Integer> found = nodes(name).stream().filter(fabric::isSwitch).toList();
        if (found.size() != 1) {
            throw new FabricInputException(name + (found.isEmpty() ? ": no switch has" : ": several switches have")
                    + " this description or GUID");
        }
        return found.getFirst();
    }

    /** Tells whether there is a switch of this description or GUID. */
    boolean isSwitch(String name) {
        return nodes(name).stream().anyMatch(fabric::isSwitch);
    }

    /** Returns the nodes of this description or node GUID. */
    private List<Integer> nodes(String name) {
        long guid = guid(name);
        int node = guid == 0 ? Fabric.NONE : fabric.nodeOfGuid(guid);
        return node != Fabric.NONE
                ? List.of(node)
                : IntStream.range(0, fabric.nodeCount())
                        .filter(other -> fabric.description(other).equals(name)
                                // As files name it, such as those of messages and groups.
                                || fabric.rawDescription(other).equals(name))
                        .boxed()
                        .toList();
    }

    private boolean isUsable(int port) {
        return fabric.isEndPort(port) && fabric.lid(port) != 0 && fabric.switchOf(port) != Fabric.NONE;
    }

    private List<Integer> lid(int lid) {
        int port = lid <= 0 ? Fabric.NONE : fabric.portOfLid(lid);
        return port == Fabric.NONE || !isUsable(port) ? List.of() : List.of(port);
    }

    private List<Integer> portGuid(String name) {
        long guid = guid(name);
        return guid == 0
                ? List.of()
                : IntStream.range(0, fabric.portCount())
                        .filter(port -> fabric.portGuid(port) == guid && isUsable(port))
                        .boxed()
                        .toList();
    }

    private List<Integer> ofNodes(List<Integer> nodes, int number) {
        List<Integer> ports = new ArrayList<>();
        for (int node : nodes) {
            int first = number < 0 ? 0 : number;
            int last = number < 0 ? fabric.ports(node) : Math.min(number, fabric.ports(node));
            for (int at = first; at <= last; at++) {
                int port = fabric.portIndex(node, at);
                if (isUsable(port) && (fabric.type(node) == NodeType.SWITCH) == (at == 0)) {
                    ports.add(port);
                }
            }
        }
        return ports;
    }

    private String names(List<Integer> ports) {
        List<String> names = ports.stream()
                .limit(MAX_NAMED)
                .map(port -> "%s (LID %d)".formatted(fabric.portName(port), fabric.lid(port)))
                .toList();
        return String.join(" or ", names) + (ports.size() > MAX_NAMED ? " or others" : "");
    }

    private static int number(String text) {
        return text.matches("\\d{1,5}") ? Integer.parseInt(text) : -1;
    }

    private static int hexNumber(String text) {
        return text.matches("0[xX][0-9a-fA-F]{1,4}") ? Integer.parseInt(text.substring(2), 16) : -1;
    }

    private static long guid(String text) {
        return text.matches("0[xX][0-9a-fA-F]{1,16}") ? Long.parseUnsignedLong(text.substring(2), 16) : 0;
    }
}
