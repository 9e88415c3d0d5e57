package org.railyard.selftest;

import java.util.List;

/** A group as it is now. */
public record GroupView(String name, List<NodeView> nodes) {}
