package org.railyard.campaign.work;

import java.util.Map;
import org.railyard.campaign.plan.CampaignPlan;

/**
 * The seeds of a plan, each of which every scenario or load is run with: all seeds of the first, then of the next.
 *
 * @param first the first seed
 * @param count how many there are
 */
public record SeedSpan(long first, long count) {
    private static final String FIRST = "first-seed";
    private static final String COUNT = "seeds";

    /**
     * Reads them.
     *
     * @throws org.railyard.base.ErrnoException EINVAL if they are missing or out of range
     */
    static SeedSpan of(CampaignPlan plan) {
        return new SeedSpan(
                plan.number(FIRST, 0, Long.MAX_VALUE - CampaignPlan.MAX_CASES),
                plan.number(COUNT, 1, CampaignPlan.MAX_CASES));
    }

    /** Returns the parameters of a plan that tell them. */
    public Map<String, String> parameters() {
        return Map.of(FIRST, Long.toString(first), COUNT, Long.toString(count));
    }

    /** Returns the seed of a case. */
    long seed(long number) {
        return first + number % count;
    }

    /** Returns which scenario or load, from 0, a case is about. */
    int turn(long number) {
        return (int) (number / count);
    }

    /** Returns them in words. */
    String text() {
        return "seeds %d to %d".formatted(first, first + count - 1);
    }
}
