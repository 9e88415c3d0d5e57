package org.railyard.selftest.api;

import java.util.List;

/** A group as it is now. */
public record GroupView(String name, List<NodeView> nodes) {}
