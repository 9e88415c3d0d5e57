package org.railyard.lnet.model;

import java.util.List;

/**
 * The selection rules that say which local NIs to prefer towards one peer NI (spec 10 §20), and how many messages each
 * has carried since it was left out last. Allocates nothing once made.
 */
public final class Pairs {
    /** Rank of an NI that no rule prefers. */
    public static final long NONE = Long.MAX_VALUE;

    private final PairRule[] rules;
    private final int[] carried;

    /** Takes the rules. */
    public Pairs(List<PairRule> rules) {
        this.rules = rules.toArray(PairRule[]::new);
        this.carried = new int[this.rules.length];
    }

    /** Returns how much an NI is preferred: the lower the more, {@link #NONE} for not at all. */
    public long rank(LocalNi ni) {
        long best = NONE;
        for (int i = 0; i < rules.length; i++) {
            if (rules[i].means(ni) && !rests(i)) {
                best = Math.min(best, rules[i].rank());
            }
        }
        return best;
    }

    private boolean rests(int i) {
        int count = rules[i].rule().count();
        return count > 0 && carried[i] >= count;
    }

    /**
     * Counts a choice: a rule that has carried its messages has been left out of it and takes part again; one that
     * decided it has carried one more.
     *
     * @param ni the NI that was chosen
     * @param here whether the peer NI was this one
     */
    public void chosen(LocalNi ni, boolean here) {
        long best = here ? rank(ni) : NONE;
        for (int i = 0; i < rules.length; i++) {
            if (rules[i].means(ni)) {
                if (rests(i)) {
                    carried[i] = 0;
                } else if (here && rules[i].rule().count() > 0 && rules[i].rank() == best) {
                    carried[i]++;
                }
            }
        }
    }
}
