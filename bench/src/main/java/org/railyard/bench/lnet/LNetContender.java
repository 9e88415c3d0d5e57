package org.railyard.bench.lnet;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.bench.compare.Contender;
import org.railyard.bench.compare.CpuPlacement;
import org.railyard.bench.compare.Measure;
import org.railyard.bench.compare.Side;

/** What the LNet contenders have in common: a pair of nodes that lives from the first round to the last. */
public abstract class LNetContender implements Contender {
    /** How long a round is waited for until it is looked whether it gets on. */
    static final int LOOK_MILLIS = 100;

    private final String name;
    private final Measure measure;
    private final ProgramLayout layout;
    private final int peerCredits;
    private final Allocation allocation = new Allocation();
    private Map<String, String> tunables = Map.of();
    private @Nullable NodePair pair;

    LNetContender(String name, Measure measure, ProgramLayout layout, int peerCredits) {
        this.name = name;
        this.measure = measure;
        this.layout = layout;
        this.peerCredits = peerCredits;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Measure measure() {
        return measure;
    }

    @Override
    public boolean isPeer() {
        return false;
    }

    /** Sets tunables of TCP for its nodes, by name; before the first round. */
    public void tune(Map<String, String> values) {
        tunables = Map.copyOf(values);
    }

    /** Returns how its nodes are connected. */
    ProgramLayout layout() {
        return layout;
    }

    /** Returns what counts the allocation of the rounds. */
    Allocation allocation() {
        return allocation;
    }

    @Override
    public Optional<String> note() {
        return allocation.perMessage();
    }

    /** Prepares a new pair of nodes. */
    abstract void prepare(NodePair nodes);

    /** Returns the nodes; the calling thread is on the side that sends from now on. */
    NodePair pair(CpuPlacement placement) throws IOException, InterruptedException {
        NodePair known = pair;
        if (known == null) {
            known = new NodePair(layout, peerCredits, tunables, placement);
            prepare(known);
            pair = known;
        }
        placement.enter(Side.SENDER);
        return known;
    }

    @Override
    public void close() {
        if (pair != null) {
            pair.close();
        }
    }
}
