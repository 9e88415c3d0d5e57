package org.railyard.fabric.format;

import org.railyard.fabric.model.NodeType;

/** How OpenSM spells node types. */
final class NodeNames {
    private NodeNames() {}

    static String spoken(NodeType type) {
        return switch (type) {
            case SWITCH -> "Switch";
            case CA -> "Channel Adapter";
            case ROUTER -> "Router";
        };
    }

    static String shortName(NodeType type) {
        return switch (type) {
            case SWITCH -> "SW";
            case CA -> "CA";
            case ROUTER -> "Rt";
        };
    }
}
