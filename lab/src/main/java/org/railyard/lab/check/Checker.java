package org.railyard.lab.check;

import java.util.List;
import org.railyard.lab.observe.Life;

/** Holds one thing that must be true. What it is interested in, it hears as a watcher; here it looks for itself at certain moments. */
public abstract class Checker {
    private final String name;
    private final Findings findings;

    /** Makes a checker. */
    protected Checker(String name, Findings findings) {
        this.name = name;
        this.findings = findings;
    }

    /** Returns its name. */
    public final String name() {
        return name;
    }

    /** Tells what it found. */
    protected final void report(String text) {
        findings.add(name, text);
    }

    /** Once a second of virtual time. */
    public void tick(long now, List<Life> lives) {}

    /** A node was killed; nothing is heard of it any more. */
    public void killed(Life life) {}

    /** A node was shut down in order. */
    public void closed(Life life) {}

    /** All calls are over and nothing is on its way; the nodes still run. */
    public void atRest(List<Life> lives) {}

    /** All nodes are closed. */
    public void atEnd() {}
}
