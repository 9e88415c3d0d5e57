package org.railyard.lab.check;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.railyard.lab.observe.LndWatch;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;

/**
 * Nothing in the state of a node contradicts anything else: queues, credits, peers, descriptors, timers. Looks at
 * one of {@value #TURNS} nodes each second, in turn, at all of them in the end, and each {@value #EVERY} messages that
 * go between stack and LND. A look takes a time that grows with the peers of a node: one with more peers than that is
 * left out until it has had as many messages.
 */
public final class StackInvariants extends Checker implements LndWatch {
    /** Of how many messages one is looked at. */
    static final int EVERY = 32;

    /** In how many seconds each node is looked at, whatever it does. */
    static final int TURNS = 4;

    private final Set<NodeRun> told = new LinkedHashSet<>();
    private final Map<NodeRun, Turn> turns = new LinkedHashMap<>();
    private int messages;
    private int seconds;

    /** How often a node is left out yet. */
    private static final class Turn {
        int leftOut;
    }

    /** Makes the checker. */
    public StackInvariants(Violations findings) {
        super("invariants", findings);
    }

    @Override
    public void sending(NodeRun life, LndNi ni, LndMessage message) {
        count(life);
    }

    @Override
    public void completing(NodeRun life, LndMessage message, int status, HealthStatus health) {
        count(life);
    }

    private void count(NodeRun life) {
        if (++messages % EVERY != 0 || !life.goesOn()) {
            return;
        }
        Turn turn = turns.computeIfAbsent(life, _ -> new Turn());
        if (turn.leftOut > 0) {
            turn.leftOut--;
        } else {
            check(life);
            turn.leftOut = life.lnet().inventory().peerCount() / EVERY;
        }
    }

    @Override
    public void tick(long now, List<NodeRun> lives) {
        for (int i = seconds++ % TURNS; i < lives.size(); i += TURNS) {
            check(lives.get(i));
        }
    }

    @Override
    public void atRest(List<NodeRun> lives) {
        lives.forEach(this::check);
    }

    private void check(NodeRun life) {
        if (told.contains(life)) {
            // What is wrong once stays wrong, and its consequences with it.
            return;
        }
        try {
            life.lnet().checkInvariants();
        } catch (AssertionError e) {
            told.add(life);
            report(life + ": " + e.getMessage());
        }
    }
}
