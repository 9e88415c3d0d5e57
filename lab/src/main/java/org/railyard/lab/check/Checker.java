package org.railyard.lab.check;

import java.util.List;
import org.railyard.lab.observe.NodeRun;

/**
 * Holds one thing that must be true. What it is interested in, it hears as a watcher; here it looks for itself at
 * certain moments.
 */
public abstract class Checker {
    private final String name;
    private final Violations findings;

    /** Makes a checker. */
    protected Checker(String name, Violations findings) {
        this.name = name;
        this.findings = findings;
    }

    /** Tells what it found. */
    protected final void report(String text) {
        findings.add(name, text);
    }

    /** Once a second of virtual time. */
    public void tick(long now, List<NodeRun> lives) {}

    /** A node was killed; nothing is heard of it any more. */
    public void killed(NodeRun life) {}

    /** A node was shut down in order. */
    public void closed(NodeRun life) {}

    /** All calls are over and nothing is on its way; the nodes still run. */
    public void atRest(List<NodeRun> lives) {}

    /** All nodes are closed. */
    public void atEnd() {}
}
