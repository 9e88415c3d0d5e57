package org.railyard.selftest.console;

import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.api.NodeState;
import org.railyard.selftest.api.NodeView;

/** A node of a session. Guarded by the lock of the console. */
public final class ConsoleNode {
    private static final long SECOND = 1_000_000_000L;

    private final ProcessId id;
    private NodeState state = NodeState.UNKNOWN;
    private int timeoutSeconds;
    private long lastAsked;

    /** Makes one of which nothing is known. */
    public ConsoleNode(ProcessId id) {
        this.id = id;
    }

    /** Returns who it is. */
    public ProcessId id() {
        return id;
    }

    /** Returns how it looks. */
    public NodeState state() {
        return state;
    }

    /** Notes how it looks. */
    public void setState(NodeState value) {
        state = value;
    }

    /** Notes after how long without a word the node leaves the session, s; 0 for never. */
    public void setTimeout(int seconds) {
        timeoutSeconds = seconds;
    }

    /** Notes that it is asked something now. */
    public void asked(long now) {
        lastAsked = now;
    }

    /**
     * Tells whether it is time to say something to it, so that it does not leave.
     *
     * @param now monotonic time, ns
     */
    public boolean isQuiet(long now) {
        return state == NodeState.ACTIVE && timeoutSeconds > 0 && now - lastAsked >= timeoutSeconds * SECOND / 2;
    }

    /** Returns what there is to be seen of it. */
    public NodeView view() {
        return new NodeView(id, state);
    }
}
