package org.railyard.fabric.format;

import java.util.ArrayList;
import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.NodeType;

/**
 * An ibsim net file, which is also what {@code ibnetdiscover} prints (spec 31 §1, §2).
 *
 * @param comments lines before the first node, without the #
 * @param nodes in the order of the file
 */
public record NetFile(List<String> comments, List<Node> nodes) {
    /** Longest node id. */
    static final int MAX_ID = 64;

    /** Takes copies. */
    public NetFile {
        comments = List.copyOf(comments);
        nodes = List.copyOf(nodes);
    }

    /**
     * A node.
     *
     * @param line line of its header, from 1
     * @param type what it is
     * @param guid node GUID
     * @param systemGuid system image GUID, equal to the node GUID where the file tells none
     * @param vendorId vendor, 0 where the file tells none
     * @param deviceId device, 0 where the file tells none
     * @param ports number of its last port
     * @param id name by which others refer to it
     * @param description node description; the id where the file tells none
     * @param enhancedPort0 whether port 0 of a switch is enhanced
     * @param lid base LID of port 0 of a switch, 0 = none told
     * @param lmc its LMC
     * @param links cabled ports, in the order of the file
     */
    public record Node(
            int line,
            NodeType type,
            long guid,
            long systemGuid,
            int vendorId,
            int deviceId,
            int ports,
            String id,
            String description,
            boolean enhancedPort0,
            int lid,
            int lmc,
            List<Link> links) {
        /** Takes a copy. */
        public Node {
            links = List.copyOf(links);
        }
    }

    /**
     * A cabled port.
     *
     * @param line its line, from 1
     * @param port its number
     * @param portGuid GUID of this port, 0 where the file tells none
     * @param remoteId id of the node at the other end
     * @param remotePort port there
     * @param lid base LID of this port, 0 where the file tells none
     * @param lmc its LMC
     * @param options ibsim's w=, s= and e= as they stand in the file, or empty
     * @param speed lanes and speed as ibnetdiscover tells them ("4xEDR"), or empty
     */
    public record Link(
            int line,
            int port,
            long portGuid,
            String remoteId,
            int remotePort,
            int lid,
            int lmc,
            String options,
            String speed) {}

    /**
     * Reads either form.
     *
     * @throws FormatException if a line is neither a comment, a setting, a header, a port nor empty; ibsim would skip
     *     it silently
     */
    public static NetFile parse(CharSequence text) {
        return new NetParser(text).parse();
    }

    /**
     * Returns the file's form of a fabric: nodes in the order of OpenSM, ids made of type and GUID as ibnetdiscover
     * does.
     */
    public static NetFile of(Fabric fabric) {
        List<Node> nodes = new ArrayList<>();
        for (int node : NodeOrder.nodes(fabric)) {
            List<Link> links = new ArrayList<>();
            for (int number = 1; number <= fabric.ports(node); number++) {
                int port = fabric.portIndex(node, number);
                int other = fabric.cable(port);
                if (other != Fabric.NONE) {
                    boolean end = !fabric.isSwitch(node);
                    links.add(new Link(
                            0,
                            number,
                            end ? fabric.portGuid(port) : 0,
                            id(fabric, fabric.nodeOf(other)),
                            fabric.portNumber(other),
                            end ? fabric.lid(port) : 0,
                            end ? fabric.lmc(port) : 0,
                            "",
                            ""));
                }
            }
            int own = fabric.portIndex(node, 0);
            nodes.add(new Node(
                    0,
                    fabric.type(node),
                    fabric.guid(node),
                    fabric.systemGuid(node),
                    fabric.hardware(node).vendorId(),
                    fabric.hardware(node).deviceId(),
                    fabric.ports(node),
                    id(fabric, node),
                    Sanitiser.clean(fabric.rawDescription(node)),
                    fabric.enhancedPort0(node),
                    fabric.lid(own),
                    fabric.lmc(own),
                    links));
        }
        return new NetFile(List.of(), nodes);
    }

    /** The id that ibnetdiscover gives a node. */
    static String id(Fabric fabric, int node) {
        String letter = switch (fabric.type(node)) {
            case SWITCH -> "S";
            case CA -> "H";
            case ROUTER -> "R";
        };
        return "%s-%016x".formatted(letter, fabric.guid(node));
    }

    /**
     * Returns the fabric.
     *
     * @throws FormatException if ids or GUIDs are not unique, or a cable leads to a node or port that is not there
     */
    public Fabric fabric() {
        return fabric(new ArrayList<>());
    }

    /**
     * Returns the same.
     *
     * @param findings gets a line for each cable that only one end names; such cables are left out
     */
    public Fabric fabric(List<String> findings) {
        return new NetAssembler(this, findings).fabric();
    }

    /**
     * Returns the net file for ibsim; one empty line between nodes, which ibsim needs. LIDs are left out: they are the
     * subnet manager's.
     */
    public String text() {
        StringBuilder out = new StringBuilder();
        comments.forEach(comment -> out.append('#').append(comment).append('\n'));
        out.append(comments.isEmpty() ? "" : "\n");
        for (Node node : nodes) {
            if (node.systemGuid != node.guid) {
                out.append("sysimgguid=0x%x\n".formatted(node.systemGuid));
            }
            out.append("%s=0x%x\n".formatted(guidKeyword(node.type), node.guid));
            out.append("%s %d \"%s\"\t# \"%s\"%s\n"
                    .formatted(
                            keyword(node.type),
                            node.ports,
                            node.id,
                            node.description,
                            node.enhancedPort0 ? " enhanced port 0" : ""));
            for (Link link : node.links) {
                out.append("[%d] \"%s\"[%d]".formatted(link.port, link.remoteId, link.remotePort));
                out.append(link.options.isEmpty() ? "\n" : " " + link.options + "\n");
            }
            out.append('\n');
        }
        return out.toString();
    }

    static String guidKeyword(NodeType type) {
        return switch (type) {
            case SWITCH -> "switchguid";
            case CA -> "caguid";
            case ROUTER -> "rtguid";
        };
    }

    static String keyword(NodeType type) {
        return switch (type) {
            case SWITCH -> "Switch";
            case CA -> "Ca";
            case ROUTER -> "Rt";
        };
    }
}
