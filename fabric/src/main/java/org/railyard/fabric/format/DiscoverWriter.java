package org.railyard.fabric.format;

import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.NodeType;

/** Writes a fabric as {@code ibnetdiscover} prints it (spec 31 §2); {@link NetFile#parse} reads it. */
public final class DiscoverWriter {
    private DiscoverWriter() {}

    /** Returns the text: nodes in the order of OpenSM, cabled ports ascending. */
    public static String text(Fabric fabric) {
        StringBuilder out = new StringBuilder();
        for (int node : NodeOrder.nodes(fabric)) {
            header(out, fabric, node);
            for (int number = 1; number <= fabric.ports(node); number++) {
                int port = fabric.portIndex(node, number);
                int other = fabric.cable(port);
                if (other != Fabric.NONE) {
                    port(out, fabric, port, other);
                }
            }
            out.append('\n');
        }
        return out.toString();
    }

    private static void header(StringBuilder out, Fabric fabric, int node) {
        NodeType type = fabric.type(node);
        out.append("vendid=0x%x\ndevid=0x%x\nsysimgguid=0x%x\n"
                .formatted(
                        fabric.hardware(node).vendorId(), fabric.hardware(node).deviceId(), fabric.systemGuid(node)));
        out.append("%s=0x%x".formatted(NetFile.guidKeyword(type), fabric.guid(node)));
        int own = fabric.portIndex(node, 0);
        String id = NetFile.id(fabric, node);
        String description = Sanitiser.clean(fabric.rawDescription(node));
        if (type == NodeType.SWITCH) {
            out.append("(%x)\n".formatted(fabric.portGuid(own)));
            out.append("Switch\t%d \"%s\"\t\t# \"%s\" %s port 0 lid %d lmc %d\n"
                    .formatted(
                            fabric.ports(node),
                            id,
                            description,
                            fabric.enhancedPort0(node) ? "enhanced" : "base",
                            fabric.lid(own),
                            fabric.lmc(own)));
        } else {
            out.append("\n%s\t%d \"%s\"\t\t# \"%s\"\n"
                    .formatted(NetFile.keyword(type), fabric.ports(node), id, description));
        }
    }

    private static void port(StringBuilder out, Fabric fabric, int port, int other) {
        int node = fabric.nodeOf(port);
        int remote = fabric.nodeOf(other);
        boolean remoteSwitch = fabric.isSwitch(remote);
        out.append("[%d]".formatted(fabric.portNumber(port)));
        if (!fabric.isSwitch(node)) {
            out.append("(%x) ".formatted(fabric.portGuid(port)));
        }
        out.append("\t\"%s\"[%d]".formatted(NetFile.id(fabric, remote), fabric.portNumber(other)));
        if (!remoteSwitch) {
            out.append("(%x) ".formatted(fabric.portGuid(other)));
        }
        out.append("\t\t# ");
        if (!fabric.isSwitch(node)) {
            out.append("lid %d lmc %d ".formatted(fabric.lid(port), fabric.lmc(port)));
        }
        int remoteLid = fabric.lid(remoteSwitch ? fabric.portIndex(remote, 0) : other);
        out.append("\"%s\" lid %d %dx%s\n"
                .formatted(
                        Sanitiser.clean(fabric.rawDescription(remote)),
                        remoteLid,
                        fabric.width(port),
                        fabric.speed(port)));
    }
}
