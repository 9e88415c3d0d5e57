package org.railyard.lnet.model;

import java.util.List;
import org.railyard.lnet.UdspRule;
import org.railyard.lnet.nid.NidPattern;

/**
 * The selection rules that say which local NIs to prefer towards one peer NI (spec 10 §20), and how many messages each has carried since it was left
 * out last. Guarded by the stack's lock; allocates nothing once made.
 */
public final class Pairs {
    /** Rank of an NI that no rule prefers. */
    public static final long NONE = Long.MAX_VALUE;

    private static final long WITHOUT_PRIORITY = NONE - 1;

    private final UdspRule[] rules;
    private final int[] carried;

    /** Takes the rules, which all have a {@code src}. */
    public Pairs(List<UdspRule> rules) {
        this.rules = rules.toArray(UdspRule[]::new);
        this.carried = new int[this.rules.length];
    }

    /** Returns how much an NI is preferred: the lower the more, {@link #NONE} for not at all. */
    public long rank(LocalNi ni) {
        long best = NONE;
        for (int i = 0; i < rules.length; i++) {
            if (matches(i, ni) && !rests(i)) {
                best = Math.min(best, rank(i));
            }
        }
        return best;
    }

    private long rank(int i) {
        return rules[i].priority() == UdspRule.NO_PRIORITY ? WITHOUT_PRIORITY : rules[i].priority();
    }

    private boolean matches(int i, LocalNi ni) {
        NidPattern src = rules[i].src();
        return src != null && src.matches(ni.nid());
    }

    private boolean rests(int i) {
        return rules[i].count() > 0 && carried[i] >= rules[i].count();
    }

    /**
     * Counts a choice: a rule that has carried its messages has been left out of it and takes part again; one that decided it has carried one more.
     *
     * @param ni the NI that was chosen
     * @param here whether the peer NI was this one
     */
    public void chosen(LocalNi ni, boolean here) {
        long best = here ? rank(ni) : NONE;
        for (int i = 0; i < rules.length; i++) {
            if (matches(i, ni)) {
                if (rests(i)) {
                    carried[i] = 0;
                } else if (here && rules[i].count() > 0 && rank(i) == best) {
                    carried[i]++;
                }
            }
        }
    }
}
