package org.railyard.fabric.format;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.model.NodeType;

/** Reads net files line by line. Stricter than ibsim: a line that nobody understands is an error and not skipped. */
final class NetParser {
    private static final long FIRST_CA_GUID = 0x100000;
    private static final long FIRST_SWITCH_GUID = 0x200000;
    private static final long FIRST_ROUTER_GUID = 0x300000;

    private final LineScanner in;
    private final List<String> comments = new ArrayList<>();
    private final List<NetFile.Node> nodes = new ArrayList<>();
    private final List<NetFile.Link> links = new ArrayList<>();
    private final Map<NodeType, Long> nextGuid = new EnumMap<>(NodeType.class);
    private final Map<NodeType, Long> lastSet = new EnumMap<>(NodeType.class);
    private NetFile.@Nullable Node open;
    private long systemGuid;
    private boolean systemGuidTold;
    private int vendorId;
    private int deviceId;
    private String prefix = "";

    NetParser(CharSequence text) {
        in = new LineScanner(text);
        nextGuid.put(NodeType.CA, FIRST_CA_GUID);
        nextGuid.put(NodeType.SWITCH, FIRST_SWITCH_GUID);
        nextGuid.put(NodeType.ROUTER, FIRST_ROUTER_GUID);
    }

    NetFile parse() {
        while (in.nextLine()) {
            if (in.onlyBlanksLeft()) {
                close();
            } else if (in.accept("#")) {
                if (nodes.isEmpty() && open == null) {
                    comments.add(in.rest());
                }
            } else if (in.restStartsWith("Non-Chassis Nodes") || in.restStartsWith("Chassis ")) {
                close();
            } else if (in.restStartsWith("[") || in.restStartsWith("@")) {
                port();
            } else if (!header() && !setting()) {
                throw in.fail("a node, a port, a setting, a comment or an empty line");
            }
        }
        close();
        return new NetFile(comments, nodes);
    }

    private void close() {
        NetFile.Node node = open;
        if (node != null) {
            nodes.add(new NetFile.Node(
                    node.line(),
                    node.type(),
                    node.guid(),
                    node.systemGuid(),
                    node.vendorId(),
                    node.deviceId(),
                    node.ports(),
                    node.id(),
                    node.description(),
                    node.enhancedPort0(),
                    node.lid(),
                    node.lmc(),
                    links));
            links.clear();
            open = null;
        }
    }

    private boolean setting() {
        for (NodeType type : NodeType.values()) {
            if (in.accept(NetFile.guidKeyword(type)) || type == NodeType.CA && in.accept("hcaguids")) {
                guid(type);
                return true;
            }
        }
        if (in.accept("vendid=")) {
            vendorId = (int) in.number("vendor");
        } else if (in.accept("devid=")) {
            deviceId = (int) in.number("device");
        } else if (in.accept("sysimgguid=")) {
            systemGuid = in.number("system GUID");
            systemGuidTold = true;
        } else if (in.accept("module=")) {
            prefix = in.quoted("module") + "#";
        } else if (in.accept("width=") || in.accept("speed=") || in.accept("extspeed=") || in.accept("pdebug=")) {
            in.number("a number");
        } else if (!in.accept("do ")) {
            return false;
        }
        return true;
    }

    private void guid(NodeType type) {
        boolean relative = in.accept("+");
        if (!relative) {
            in.expect("=");
        }
        long number = in.number("GUID");
        if (in.accept("(")) {
            in.hexDigits("port GUID");
            in.expect(")");
        }
        if (!grouping()) {
            in.expectEnd();
        }
        if (!relative) {
            lastSet.put(type, number);
        }
        nextGuid.put(type, relative ? lastSet.getOrDefault(type, nextGuid.getOrDefault(type, 0L)) + number : number);
    }

    /** Skips what {@code ibnetdiscover -g} says about chassis and slot behind a GUID; tells whether there is any. */
    private boolean grouping() {
        in.skipBlanks();
        return in.restStartsWith("#");
    }

    /** Skips the number on the case that {@code ibnetdiscover -g} adds to a port. */
    private void externalPort() {
        if (in.accept("[ext ")) {
            in.upTo("]", "the number of the external port");
        }
    }

    private @Nullable NodeType nodeType() {
        if (in.accept("Switch")) {
            return NodeType.SWITCH;
        }
        if (in.accept("Hca") || in.accept("Ca")) {
            return NodeType.CA;
        }
        return in.accept("Rt") ? NodeType.ROUTER : null;
    }

    private int portCount() {
        if (open != null) {
            throw in.fail("an empty line before the next node: ibsim would lose this one");
        }
        in.expectBlanks();
        int ports = in.decimal(Fabric.MAX_PORTS, "number of ports");
        if (ports == 0) {
            throw in.fail("1 to %d ports before this".formatted(Fabric.MAX_PORTS));
        }
        in.expectBlanks();
        return ports;
    }

    private boolean header() {
        NodeType type = nodeType();
        if (type == null) {
            return false;
        }
        int ports = portCount();
        String id = id();
        String description = id;
        boolean enhanced = false;
        int lid = 0;
        int lmc = 0;
        in.skipBlanks();
        if (in.accept("#")) {
            in.skipBlanks();
            if (in.restStartsWith("\"")) {
                in.accept("\"");
                description = in.upToLast("\"", "the description");
                in.skipBlanks();
                enhanced = in.accept("enhanced port 0");
                if (!enhanced) {
                    in.accept("base port 0");
                }
                in.skipBlanks();
                if (in.accept("lid ")) {
                    lid = in.decimal(Lids.MAX_UNICAST, "LID");
                    in.skipBlanks();
                    lmc = in.accept("lmc ") ? in.decimal(Lids.MAX_LMC, "LMC") : 0;
                }
            } else if (!in.atEnd()) {
                description = in.rest().strip();
            }
        }
        in.expectEnd();
        long guid = nextGuid.getOrDefault(type, 0L);
        nextGuid.put(type, guid + (type == NodeType.SWITCH ? 1 : ports + 1));
        open = new NetFile.Node(
                in.line(),
                type,
                guid,
                systemGuidTold ? systemGuid : guid,
                vendorId,
                deviceId,
                ports,
                id,
                description,
                enhanced,
                lid,
                lmc,
                List.of());
        systemGuidTold = false;
        vendorId = 0;
        deviceId = 0;
        return true;
    }

    private String id() {
        int start = in.position();
        String id = prefix + in.quoted("node id");
        if (id.length() > NetFile.MAX_ID || id.isEmpty()) {
            in.back(start);
            throw in.fail("a node id of 1 to %d characters".formatted(NetFile.MAX_ID));
        }
        return id;
    }

    private void port() {
        NetFile.Node node = open;
        if (node == null) {
            throw in.fail("a node before its ports");
        }
        if (in.accept("@")) {
            in.upTo("]", "the port");
            in.skipBlanks();
            in.quoted("alias");
            in.expectEnd();
            return;
        }
        in.expect("[");
        int port = in.decimal(1, node.ports(), "port");
        in.expect("]");
        externalPort();
        long portGuid = 0;
        if (in.accept("(")) {
            portGuid = in.hexDigits("port GUID");
            in.expect(")");
        }
        in.expectBlanks();
        String quoted = in.quoted("node id at the other end");
        String remote = prefix.isEmpty() || quoted.contains("#") ? quoted : prefix + quoted;
        int remotePort = 1;
        if (in.accept("[")) {
            remotePort = in.decimal(Fabric.MAX_PORTS, "port at the other end");
            in.expect("]");
            externalPort();
        }
        if (in.accept("(")) {
            in.hexDigits("port GUID");
            in.expect(")");
        }
        tail(node, port, portGuid, remote, remotePort);
    }

    /** What follows the other end: ibsim's options, or ibnetdiscover's remark with LID and speed. */
    private void tail(NetFile.Node node, int port, long portGuid, String remote, int remotePort) {
        StringBuilder options = new StringBuilder();
        String speed = "";
        int lid = 0;
        int lmc = 0;
        while (!in.onlyBlanksLeft()) {
            if (in.accept("#")) {
                in.skipBlanks();
                if (node.type() != NodeType.SWITCH && in.accept("lid ")) {
                    lid = in.decimal(Lids.MAX_UNICAST, "LID");
                    in.skipBlanks();
                    lmc = in.accept("lmc ") ? in.decimal(Lids.MAX_LMC, "LMC") : 0;
                }
                String rest = in.rest();
                String last = rest.substring(rest.lastIndexOf(' ') + 1);
                speed = last.matches("[1-9]\\d?x[A-Z0-9]{3,5}") ? last : "";
            } else {
                int start = in.position();
                String option = in.word("an option");
                if (!option.matches("[wse]=\\d{1,3}")) {
                    in.back(start);
                    throw in.fail("w=, s= or e= and a number, or #");
                }
                options.append(options.isEmpty() ? "" : " ").append(option);
            }
        }
        links.add(new NetFile.Link(in.line(), port, portGuid, remote, remotePort, lid, lmc, options.toString(), speed));
    }
}
