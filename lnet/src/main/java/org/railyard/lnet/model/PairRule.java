package org.railyard.lnet.model;

import java.util.Arrays;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.nid.NidPattern;

/**
 * A selection rule that prefers local NIs towards peer NIs, with the local NIs that it means now (spec 10 §20). Guarded
 * by the stack's lock.
 */
public final class PairRule {
    private static final LocalNi[] NOBODY = {};

    private final UdspRule rule;
    private LocalNi[] sources = NOBODY;

    /** Makes a rule that means none of the NIs yet. */
    public PairRule(UdspRule rule) {
        this.rule = rule;
    }

    /** Returns what was asked for. */
    public UdspRule rule() {
        return rule;
    }

    /** An NI is there: the rule means it from now on if its pattern does. */
    public void added(LocalNi ni) {
        NidPattern src = rule.src();
        if (src != null && src.matches(ni.nid()) && !means(ni)) {
            sources = Arrays.copyOf(sources, sources.length + 1);
            sources[sources.length - 1] = ni;
        }
    }

    /** An NI is gone. */
    public void removed(LocalNi ni) {
        sources = Arrays.stream(sources).filter(each -> each != ni).toArray(LocalNi[]::new);
    }

    /** Tells whether it means an NI. */
    boolean means(LocalNi ni) {
        for (LocalNi each : sources) {
            if (each == ni) {
                return true;
            }
        }
        return false;
    }

    /** Returns its place among the rules that prefer the same peer NI: the lower the better. */
    long rank() {
        return rule.priority() == UdspRule.NO_PRIORITY ? Pairs.NONE - 1 : rule.priority();
    }
}
