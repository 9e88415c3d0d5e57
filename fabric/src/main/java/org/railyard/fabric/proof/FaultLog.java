package org.railyard.fabric.proof;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.railyard.fabric.proof.CheckReport.Fault;
import org.railyard.fabric.proof.CheckReport.FaultKind;

/** Collects faults: all are counted, the first ones are kept. */
final class FaultLog {
    private final List<Fault> kept = new ArrayList<>();
    private long count;

    void add(FaultKind kind, long howMany, Supplier<String> text) {
        count += howMany;
        if (kept.size() < CheckReport.MAX_FAULTS) {
            kept.add(new Fault(kind, text.get()));
        }
    }

    List<Fault> kept() {
        return kept;
    }

    long count() {
        return count;
    }
}
