package org.railyard.fabric.format;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.FabricBuilder.NodeBuilder;
import org.railyard.fabric.model.FabricBuilder.PortBuilder;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.model.Hardware;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.model.NodeType;

/**
 * Makes a fabric of a net file; a cable that one end alone names, and one from a port to itself (spec 30 §1.1), is left
 * out, and told.
 */
final class NetAssembler {
    private final NetFile file;
    private final FabricBuilder builder = new FabricBuilder();
    private final Map<String, Known> byId = new LinkedHashMap<>();
    private final Map<Long, NetFile.Node> byGuid = new LinkedHashMap<>();

    private final Map<Long, Owner> byPortGuid = new LinkedHashMap<>();

    private final List<String> findings;

    /** Who has a port GUID. */
    private record Owner(NetFile.Node node, int port, int line) {}

    /** A node of the file, and what is made of it. */
    private record Known(NetFile.Node node, NodeBuilder builder) {}

    /** Prepares; {@code findings} gets what is odd without being an error. */
    NetAssembler(NetFile file, List<String> findings) {
        this.file = file;
        this.findings = findings;
    }

    Fabric fabric() {
        int last = 1;
        try {
            for (NetFile.Node node : file.nodes()) {
                last = Math.max(1, node.line());
                add(node);
                if (node.type() == NodeType.SWITCH) {
                    requireFree(node.guid(), new Owner(node, 0, last));
                }
            }
            for (Known each : byId.values()) {
                for (NetFile.Link link : each.node.links()) {
                    last = Math.max(1, link.line());
                    connect(each.node, each.builder, link);
                }
            }
            return builder.build();
        } catch (FabricException e) {
            throw new FormatException(last, 1, "line " + last, "parts that fit: " + e.getMessage());
        }
    }

    private void add(NetFile.Node node) {
        int line = Math.max(1, node.line());
        Known same = byId.get(node.id());
        if (same != null) {
            throw new FormatException(line, 1, node.id(), "an id that line " + same.node.line() + " does not have");
        }
        NetFile.Node before = byGuid.putIfAbsent(node.guid(), node);
        if (before != null) {
            throw new FormatException(
                    line,
                    1,
                    "0x%016x".formatted(node.guid()),
                    "a GUID that %s of line %d does not have".formatted(before.id(), before.line()));
        }
        NodeBuilder made = builder.node(node.type(), node.guid(), node.ports(), node.description())
                .systemGuid(node.systemGuid())
                .hardware(new Hardware(node.vendorId(), node.deviceId(), 0))
                .enhancedPort0(node.enhancedPort0());
        if (node.type() == NodeType.SWITCH && node.lid() != 0) {
            made.port(0).lid(node.lid(), node.lmc());
        }
        byId.put(node.id(), new Known(node, made));
    }

    private void connect(NetFile.Node node, NodeBuilder near, NetFile.Link link) {
        int line = Math.max(1, link.line());
        Known far = byId.get(link.remoteId());
        if (far == null) {
            throw new FormatException(line, 1, link.remoteId(), "the id of a node of this file");
        }
        NetFile.Node remote = far.node;
        if (remote == node && link.remotePort() == link.port()) {
            findings.add("line %d: \"%s\"[%d] is looped to itself, not used".formatted(line, node.id(), link.port()));
            return;
        }
        if (!namesBack(remote, node, link)) {
            findings.add(("line %d: half-connected cable, not used: \"%s\"[%d] names \"%s\"[%d],"
                            + " which does not name it (node %s, line %d)")
                    .formatted(
                            line,
                            node.id(),
                            link.port(),
                            link.remoteId(),
                            link.remotePort(),
                            remote.id(),
                            remote.line()));
            return;
        }
        PortBuilder port = near.port(link.port());
        if (!port.isConnected()) {
            builder.connect(near, link.port(), far.builder, link.remotePort());
        } else if (node.links().stream()
                        .filter(other -> other.port() == link.port())
                        .count()
                > 1) {
            throw new FormatException(line, 1, "[" + link.port() + "]", "a port that has no cable yet");
        }
        if (node.type() != NodeType.SWITCH) {
            long guid = link.portGuid() != 0 ? link.portGuid() : node.guid() + link.port();
            port.guid(guid);
            requireFree(guid, new Owner(node, link.port(), line));
            if (link.lid() != 0) {
                port.lid(link.lid(), link.lmc());
            }
        }
        if (!link.speed().isEmpty()) {
            speed(port, link.speed());
        }
    }

    /** LIDs are given, and tables written, by port GUID. */
    private void requireFree(long portGuid, Owner owner) {
        Owner before = byPortGuid.putIfAbsent(portGuid, owner);
        if (before != null) {
            throw new FormatException(
                    owner.line,
                    1,
                    "port GUID 0x%016x".formatted(portGuid),
                    "one that \"%s\"[%d] of line %d does not have"
                            .formatted(before.node.id(), before.port, before.line));
        }
    }

    /** Whether the other end of a cable has the same cable. */
    private static boolean namesBack(NetFile.Node remote, NetFile.Node node, NetFile.Link link) {
        for (NetFile.Link other : remote.links()) {
            if (other.port() == link.remotePort()
                    && other.remotePort() == link.port()
                    && other.remoteId().equals(node.id())) {
                return true;
            }
        }
        return false;
    }

    private static void speed(PortBuilder port, String text) {
        int cross = text.indexOf('x');
        String name = text.substring(cross + 1);
        LinkSpeed found = LinkSpeed.UNKNOWN;
        for (LinkSpeed speed : LinkSpeed.values()) {
            if (speed.name().equals(name)) {
                found = speed;
            }
        }
        port.link(Integer.parseInt(text.substring(0, cross)), found);
    }
}
