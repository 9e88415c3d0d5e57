package org.railyard.fabric.format;

import java.util.Map;
import java.util.TreeMap;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.FabricBuilder.NodeBuilder;
import org.railyard.fabric.model.FabricBuilder.PortBuilder;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.model.Hardware;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.model.LinkState;
import org.railyard.fabric.model.NodeType;

/**
 * {@code opensm-subnet.lst}: each connected port and what it is connected to (spec 31 §5.6).
 *
 * @param fabric the fabric; nodes without any cable are not in the file
 * @param smPort port index of the end port of the subnet manager, {@link Fabric#NONE} if none is marked
 */
public record SubnetList(Fabric fabric, int smPort) {
    private static final int MAX_LID = 0xFFFF;
    private static final int MAX_LANES = 12;

    /** One end of a line. */
    private record End(
            NodeType type,
            boolean sm,
            int ports,
            long systemGuid,
            long nodeGuid,
            long portGuid,
            Hardware hardware,
            String description,
            int lid,
            int number) {}

    /**
     * Reads the file.
     *
     * @throws FormatException if it is not such a file or its lines contradict each other
     */
    public static SubnetList parse(CharSequence text) {
        LineScanner in = new LineScanner(text);
        FabricBuilder builder = new FabricBuilder();
        Map<Long, NodeBuilder> nodes = new TreeMap<>();
        Map<String, String> cables = new TreeMap<>();
        End sm = null;
        while (in.nextLine()) {
            if (in.onlyBlanksLeft()) {
                continue;
            }
            int middle = in.current().indexOf(" } { ");
            End near = end(in);
            in.skipBlanks();
            End far = end(in);
            if (middle < 0) {
                throw in.fail("two ends");
            }
            for (End one : new End[] {near, far}) {
                sm = one.sm ? one : sm;
            }
            try {
                NodeBuilder a = node(builder, nodes, near, in);
                NodeBuilder b = node(builder, nodes, far, in);
                cable(builder, cables, near, a, far, b, in);
                link(in, a.port(near.number));
            } catch (FabricException e) {
                throw in.fail(e);
            }
        }
        try {
            Fabric fabric = builder.build();
            return new SubnetList(
                    fabric,
                    sm == null
                            ? Fabric.NONE
                            : fabric.portIndex(
                                    fabric.nodeOfGuid(sm.nodeGuid), sm.type == NodeType.SWITCH ? 0 : sm.number));
        } catch (FabricException e) {
            throw in.fail(e);
        }
    }

    private static End end(LineScanner in) {
        in.expect("{ ");
        NodeType type = type(in);
        boolean sm = in.accept("-SM");
        in.expect(" Ports:");
        int ports = in.hexDigits(Fabric.MAX_PORTS, "number of ports");
        in.expect(" SystemGUID:");
        long systemGuid = in.hexDigits("system GUID");
        in.expect(" NodeGUID:");
        long nodeGuid = in.hexDigits("node GUID");
        in.expect(" PortGUID:");
        long portGuid = in.hexDigits("port GUID");
        in.expect(" VenID:");
        int vendor = (int) in.hexDigits("vendor");
        in.expect(" DevID:");
        int device = (int) in.hexDigits("device");
        in.expect(" Rev:");
        int revision = (int) in.hexDigits("revision");
        in.expect(" {");
        String description = description(in);
        int lid = in.hexDigits(MAX_LID, "LID");
        in.expect(" PN:");
        int number = in.hexDigits(Fabric.MAX_PORTS, "port number");
        in.expect(" }");
        return new End(
                type,
                sm,
                ports,
                systemGuid,
                nodeGuid,
                portGuid,
                new Hardware(vendor, device, revision),
                description,
                lid,
                number);
    }

    /** A description may hold braces: it ends at the last "} LID:" before the end of its half of the line. */
    private static String description(LineScanner in) {
        String mark = "} LID:";
        int last = in.current().lastIndexOf(mark);
        int start = in.position();
        int next = in.current().indexOf(" } { ", start);
        int wanted = next < 0 ? last : in.current().lastIndexOf(mark, next);
        if (wanted < start) {
            throw in.fail("\"" + mark + "\" after the description");
        }
        in.back(wanted + mark.length());
        return in.current().substring(start, wanted);
    }

    private static NodeType type(LineScanner in) {
        for (NodeType type : NodeType.values()) {
            if (in.accept(NodeNames.shortName(type))) {
                return type;
            }
        }
        throw in.fail("CA, SW or Rt");
    }

    private static NodeBuilder node(FabricBuilder builder, Map<Long, NodeBuilder> nodes, End end, LineScanner in) {
        NodeBuilder node = nodes.get(end.nodeGuid);
        if (node == null) {
            node = builder.node(end.type, end.nodeGuid, end.ports, end.description)
                    .systemGuid(end.systemGuid)
                    .hardware(end.hardware);
            nodes.put(end.nodeGuid, node);
        }
        if (node.lastPort() != end.ports) {
            throw in.fail("%d ports, as for this node in an earlier line".formatted(node.lastPort()));
        }
        if (node.type() != end.type) {
            throw new FabricException("%s with GUID 0x%x is %s in an earlier line"
                    .formatted(end.description, end.nodeGuid, NodeNames.shortName(node.type())));
        }
        PortBuilder port = node.port(end.type == NodeType.SWITCH ? 0 : end.number);
        if (port.lid() != 0 && port.lid() != end.lid) {
            throw new FabricException(
                    "%s has LID %04X here and %04X in an earlier line".formatted(end.description, end.lid, port.lid()));
        }
        port.guid(end.portGuid).lid(end.lid, 0);
        return node;
    }

    /**
     * A cable comes twice, once from each end; the second time it must lead back. One from a port to itself carries
     * nothing (spec 30 §1.1).
     */
    private static void cable(
            FabricBuilder builder,
            Map<String, String> cables,
            End near,
            NodeBuilder a,
            End far,
            NodeBuilder b,
            LineScanner in) {
        String from = "%016x/%d".formatted(near.nodeGuid, near.number);
        String to = "%016x/%d".formatted(far.nodeGuid, far.number);
        String known = cables.get(from);
        if (known == null && from.equals(to)) {
            cables.put(from, to);
        } else if (known == null) {
            builder.connect(a, near.number, b, far.number);
            cables.put(from, to);
            cables.put(to, from);
        } else if (!known.equals(to)) {
            throw in.fail("a cable to %s, as an earlier line says".formatted(known));
        }
    }

    private static void link(LineScanner in, PortBuilder port) {
        in.expect(" PHY=");
        int width = in.decimal(1, MAX_LANES, "lanes");
        in.expect("x LOG=");
        port.state(state(in));
        LinkSpeed speed = in.accept(" SPD=") ? speed(in.word("speed")) : LinkSpeed.UNKNOWN;
        port.link(width, speed);
        in.expectEnd();
    }

    private static LinkState state(LineScanner in) {
        for (LinkState state : LinkState.values()) {
            if (in.accept(spelled(state))) {
                return state;
            }
        }
        throw in.fail("ACT, ARM, INI or DWN");
    }

    private static String spelled(LinkState state) {
        return switch (state) {
            case DOWN -> "DWN";
            case INIT -> "INI";
            case ARMED -> "ARM";
            case ACTIVE -> "ACT";
        };
    }

    private static LinkSpeed speed(String word) {
        for (LinkSpeed speed : LinkSpeed.values()) {
            if (spelled(speed).equals(word)) {
                return speed;
            }
        }
        return LinkSpeed.UNKNOWN;
    }

    private static String spelled(LinkSpeed speed) {
        return switch (speed) {
            case SDR -> "2.5";
            case DDR -> "5";
            case QDR -> "10";
            case FDR10 -> "FDR10";
            case FDR -> "14";
            case EDR -> "25";
            case HDR -> "50";
            case NDR, UNKNOWN -> "??";
        };
    }

    /** Returns the file: nodes in the order of OpenSM, ports ascending. */
    public String text() {
        StringBuilder out = new StringBuilder();
        for (int node : NodeOrder.nodes(fabric)) {
            for (int number = 1; number <= fabric.ports(node); number++) {
                int port = fabric.portIndex(node, number);
                int other = fabric.cable(port);
                if (other != Fabric.NONE) {
                    end(out, port, 6);
                    end(out, other, 8);
                    out.append("PHY=%dx LOG=%s SPD=%s\n"
                            .formatted(fabric.width(port), spelled(fabric.state(port)), spelled(fabric.speed(port))));
                }
            }
        }
        return out.toString();
    }

    private void end(StringBuilder out, int port, int vendorDigits) {
        int node = fabric.nodeOf(port);
        Hardware hardware = fabric.hardware(node);
        int owner = fabric.isSwitch(node) ? fabric.portIndex(node, 0) : port;
        String vendor = "%08X".formatted(hardware.vendorId()).substring(8 - vendorDigits);
        out.append("{ %s%s Ports:%02X SystemGUID:%016x NodeGUID:%016x PortGUID:%016x VenID:%s DevID:%04X Rev:%08X {%s} "
                .formatted(
                        NodeNames.shortName(fabric.type(node)),
                        owner == smPort ? "-SM" : "",
                        fabric.ports(node),
                        fabric.systemGuid(node),
                        fabric.guid(node),
                        fabric.portGuid(owner),
                        vendor,
                        hardware.deviceId(),
                        hardware.revision(),
                        Sanitiser.clean(fabric.rawDescription(node))));
        out.append("LID:%04X PN:%02X } ".formatted(fabric.lid(owner), fabric.portNumber(port)));
    }
}
