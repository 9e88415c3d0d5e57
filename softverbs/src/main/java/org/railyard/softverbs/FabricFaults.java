package org.railyard.softverbs;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** The fault rules in force, and the dice for them. */
final class FabricFaults {
    /** Most rules at a time. */
    static final int MAX_RULES = 1024;

    /**
     * What the rules make of one message.
     *
     * @param dropped does not arrive
     * @param duplicated arrives twice
     * @param rejected is turned down
     * @param delayNanos how much later it arrives, ns
     */
    record Verdict(boolean dropped, boolean duplicated, boolean rejected, long delayNanos) {
        static final Verdict NOTHING = new Verdict(false, false, false, 0);
        static final Verdict LOST = new Verdict(true, false, false, 0);
    }

    private final RandomGenerator random;
    private final List<FabricFaultRule> rules = new ArrayList<>();
    private LossModel weather = LossModel.FAIR;

    FabricFaults(RandomGenerator random) {
        this.random = random;
    }

    void add(FabricFaultRule rule) {
        if (rules.size() == MAX_RULES) {
            throw new IllegalStateException("more than " + MAX_RULES + " fault rules");
        }
        rules.add(rule);
    }

    void remove(FabricFaultRule rule) {
        rules.remove(rule);
    }

    void setWeather(LossModel other) {
        weather = other;
    }

    Verdict judge(Kind kind, SoftPort from, SoftPort to) {
        boolean dropped = weather.loses(from, to);
        if (rules.isEmpty()) {
            return dropped ? Verdict.LOST : Verdict.NOTHING;
        }
        boolean duplicated = false;
        boolean rejected = false;
        long delay = 0;
        for (FabricFaultRule rule : rules) {
            if (rule.matches(kind, from, to) && (rule.probability() >= 1 || random.nextDouble() < rule.probability())) {
                switch (rule.action()) {
                    case DROP -> dropped = true;
                    case DUPLICATE -> duplicated = true;
                    case REJECT -> rejected = true;
                    case DELAY -> delay += rule.delayNanos();
                }
            }
        }
        return new Verdict(dropped, duplicated, rejected, delay);
    }
}
