package org.railyard.fabric.model;

/** What a node is. */
public enum NodeType {
    /** Forwards by LID; its port 0 is the management port. */
    SWITCH,
    /** Channel adapter: a host. */
    CA,
    /** Leads to another subnet; its ports are routed to like those of a CA. */
    ROUTER
}
