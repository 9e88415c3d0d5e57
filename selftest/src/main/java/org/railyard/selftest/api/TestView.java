package org.railyard.selftest.api;

import java.util.List;

/**
 * A test of a batch as it is now.
 *
 * @param index its number in the batch, from 1 on
 * @param spec what it does
 * @param from nodes that call
 * @param to nodes that are called
 */
public record TestView(int index, TestSpec spec, List<NodeView> from, List<NodeView> to) {}
