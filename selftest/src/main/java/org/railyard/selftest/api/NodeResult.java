package org.railyard.selftest.api;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.wire.Reply;

/**
 * What came of asking a node.
 *
 * @param node whom
 * @param state how it looks now
 * @param status 0, or a negative errno: of the node if {@code reply} is there, otherwise of the call
 * @param reply what it answered; null if it did not
 */
public record NodeResult(
        ProcessId node,
        NodeState state,
        int status,
        @Nullable Reply reply) {}
