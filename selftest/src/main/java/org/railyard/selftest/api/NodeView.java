package org.railyard.selftest.api;

import org.railyard.lnet.nid.ProcessId;

/** A node of a group as it is now. */
public record NodeView(ProcessId node, NodeState state) {}
