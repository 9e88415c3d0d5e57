package org.railyard.sm.discover;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.FabricBuilder.NodeBuilder;
import org.railyard.fabric.model.FabricBuilder.PortBuilder;
import org.railyard.fabric.model.Hardware;
import org.railyard.fabric.model.LinkSpeed;
import org.railyard.fabric.model.LinkState;
import org.railyard.fabric.model.NodeType;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.sm.subnet.ManagedNode;

/** Makes a {@link Fabric} of what nodes said; nothing of that is trusted to be in its range. */
public final class FabricMaker {
    private static final int MAX_VL_CODE = 5;

    private FabricMaker() {}

    /** Makes the fabric of these nodes and the cables between them, without LIDs. */
    static Fabric make(Iterable<ManagedNode> nodes) {
        FabricBuilder builder = new FabricBuilder();
        Map<Long, NodeBuilder> made = new LinkedHashMap<>();
        for (ManagedNode node : nodes) {
            made.put(node.guid(), node(builder, node));
        }
        for (ManagedNode node : nodes) {
            for (int port = 1; port <= node.lastPort(); port++) {
                ManagedNode peer = node.peer(port);
                boolean first = peer != null
                        && (Long.compareUnsigned(node.guid(), peer.guid()) < 0
                                || node == peer && port < node.peerPort(port));
                NodeBuilder from = made.get(node.guid());
                NodeBuilder to = peer == null ? null : made.get(peer.guid());
                if (first && from != null && to != null) {
                    builder.connect(from, port, to, node.peerPort(port));
                }
            }
        }
        return builder.build();
    }

    private static NodeBuilder node(FabricBuilder builder, ManagedNode node) {
        NodeInfo info = node.info();
        NodeType type = switch (info.getInt(NodeInfo.NODE_TYPE)) {
            case NodeInfo.SWITCH -> NodeType.SWITCH;
            case NodeInfo.ROUTER -> NodeType.ROUTER;
            default -> NodeType.CA;
        };
        SwitchInfo said = node.switchInfo();
        NodeBuilder made = builder.node(type, node.guid(), node.lastPort(), node.description())
                .systemGuid(info.get(NodeInfo.SYSTEM_IMAGE_GUID))
                .hardware(new Hardware(
                        info.getInt(NodeInfo.VENDOR_ID),
                        info.getInt(NodeInfo.DEVICE_ID),
                        info.getInt(NodeInfo.REVISION)))
                .enhancedPort0(said != null && said.isSet(SwitchInfo.ENHANCED_PORT0));
        for (int port = 0; port <= node.lastPort(); port++) {
            if (node.isEndPort(port)) {
                made.port(port).guid(node.portGuid(port));
            }
            PortInfo ofPort = node.port(port);
            if (ofPort != null) {
                port(made.port(port), ofPort, vls(node, port, ofPort));
            }
        }
        return made;
    }

    /**
     * Returns the VLs that a port will use: what a link in INIT says is not in use yet, it is given the most that both
     * ends can before it carries data, unless one of them was asked before and keeps what it has; a limit of the engine
     * comes on top.
     */
    private static int vls(ManagedNode node, int port, PortInfo said) {
        ManagedNode peer = node.peer(port);
        PortInfo far = peer == null ? null : peer.port(node.peerPort(port));
        return peer != null && far != null && said.state() == PortState.INIT
                ? Math.min(vlsToBe(node, port, said), vlsToBe(peer, node.peerPort(port), far))
                : vls(said.getInt(PortInfo.OPERATIONAL_VLS));
    }

    private static int vlsToBe(ManagedNode node, int port, PortInfo said) {
        boolean keeps = node.held().isIgnored(port, PortInfo.OPERATIONAL_VLS);
        return vls(said.getInt(keeps ? PortInfo.OPERATIONAL_VLS : PortInfo.VL_CAP));
    }

    private static void port(PortBuilder made, PortInfo said, int operationalVls) {
        made.vlCap(vls(said.getInt(PortInfo.VL_CAP)))
                .operVls(operationalVls)
                .link(lanes(said.getInt(PortInfo.WIDTH_ACTIVE)), speed(said))
                .state(state(said.state()));
    }

    private static int vls(int code) {
        return Math.clamp(code, 1, MAX_VL_CODE);
    }

    /** Returns the state of a link as the model has it. */
    public static LinkState state(PortState state) {
        return switch (state) {
            case ACTIVE -> LinkState.ACTIVE;
            case ARMED -> LinkState.ARMED;
            case INIT -> LinkState.INIT;
            case DOWN, NO_CHANGE -> LinkState.DOWN;
        };
    }

    private static int lanes(int width) {
        return switch (width) {
            case 1 -> 1;
            case 4 -> 8;
            case 8 -> 12;
            case 16 -> 2;
            default -> 4;
        };
    }

    private static LinkSpeed speed(PortInfo said) {
        return switch (said.getInt(PortInfo.SPEED_EXT_ACTIVE)) {
            case 1 -> LinkSpeed.FDR;
            case 2 -> LinkSpeed.EDR;
            case 4 -> LinkSpeed.HDR;
            case 8 -> LinkSpeed.NDR;
            default ->
                switch (said.getInt(PortInfo.SPEED_ACTIVE)) {
                    case 1 -> LinkSpeed.SDR;
                    case 2 -> LinkSpeed.DDR;
                    case 4 -> LinkSpeed.QDR;
                    default -> LinkSpeed.UNKNOWN;
                };
        };
    }

    /** Returns the nodes by their index in a fabric that was made of them. */
    static List<ManagedNode> inOrder(Fabric fabric, Map<Long, ManagedNode> byGuid) {
        List<ManagedNode> ordered = new ArrayList<>(fabric.nodeCount());
        for (int node = 0; node < fabric.nodeCount(); node++) {
            ManagedNode of = byGuid.get(fabric.guid(node));
            if (of != null) {
                ordered.add(of);
            }
        }
        return ordered;
    }
}
