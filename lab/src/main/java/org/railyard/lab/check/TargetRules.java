package org.railyard.lab.check;

import java.util.LinkedHashMap;
import java.util.Map;
import org.railyard.lab.observe.CallWatch;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;

/** Descriptors that are attached see requests only, in order, and exactly one end each (spec 10 §4.3, §5.3). */
public final class TargetRules extends Checker implements CallWatch {
    /** What a node's descriptors saw. */
    private static final class Seen {
        long sequence;
        int unlinks;
    }

    private final Map<NodeRun, Seen> seen = new LinkedHashMap<>();

    /** Makes the checker. */
    public TargetRules(Violations findings) {
        super("target", findings);
    }

    @Override
    public void atTarget(NodeRun life, Event event) {
        Seen so = seen.computeIfAbsent(life, _ -> new Seen());
        EventKind kind = event.kind();
        if (kind != EventKind.PUT && kind != EventKind.GET && kind != EventKind.UNLINK) {
            report(life + " got a " + kind + " at a descriptor that is attached");
        }
        if (event.sequence() == so.sequence) {
            report(life + " got two events with the number " + event.sequence());
        }
        so.sequence = event.sequence();
        so.unlinks += event.unlinked() ? 1 : 0;
        if (event.unlinked() && life.goesOn() && life.machine().cards() == null) {
            report(life + ": a descriptor was unlinked, though nobody unlinked it");
        }
    }

    @Override
    public void closed(NodeRun life) {
        Seen so = seen.computeIfAbsent(life, _ -> new Seen());
        if (so.unlinks != life.descriptors()) {
            report(life + " is closed, and its " + life.descriptors() + " attached descriptors saw " + so.unlinks
                    + " ends");
        }
    }
}
