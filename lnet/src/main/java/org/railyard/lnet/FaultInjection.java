package org.railyard.lnet;

import java.util.List;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.FaultKind;
import org.railyard.lnet.api.FaultRule;
import org.railyard.lnet.api.FaultRuleInfo;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.stack.FaultGate;

/**
 * Makes things go wrong on purpose (spec 10 §18): messages of a node are lost, fail, or come late, the node's own pings
 * and discovery included. Of each kind the newest rule that hits a message counts. Thread-safe.
 */
public final class FaultInjection {
    private final FaultGate gate;

    FaultInjection(FaultGate gate) {
        this.gate = gate;
    }

    /**
     * Adds a rule, before all others of its kind.
     *
     * @throws ErrnoException ENOSPC if there are 256 of the kind
     */
    public void add(FaultRule rule) {
        gate.add(rule);
    }

    /**
     * Deletes all rules of a kind that were made with a source and a target. Messages that they held up go on at once.
     *
     * @param source the source as given in the filter, {@link Nid#ANY} for any
     * @param target the target as given in the filter, {@link Nid#ANY} for any
     * @return how many
     * @throws ErrnoException ENOENT if there is none
     */
    public int delete(FaultKind kind, Nid source, Nid target) {
        return gate.delete(kind, source, target);
    }

    /** Takes the counters of all rules of a kind to 0; they begin again as if just added. */
    public void reset(FaultKind kind) {
        gate.reset(kind);
    }

    /** Returns the rules of a kind with their counters, newest first. */
    public List<FaultRuleInfo> rules(FaultKind kind) {
        return gate.rules(kind);
    }
}
