package org.railyard.softverbs.net;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** The fault rules in force, and the random numbers for them. */
final class FabricFaults {
    /** Most rules at a time. */
    static final int MAX_RULES = 1024;

    private final RandomGenerator random;
    private final List<FabricFaultRule> rules = new ArrayList<>();
    private LossModel lossModel = LossModel.FAIR;

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

    void setLossModel(LossModel other) {
        lossModel = other;
    }

    FaultVerdict judge(TrafficKind kind, FabricPort from, FabricPort to) {
        boolean dropped = lossModel.loses(from, to);
        if (rules.isEmpty()) {
            return dropped ? FaultVerdict.LOST : FaultVerdict.NOTHING;
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
        return new FaultVerdict(dropped, duplicated, rejected, delay);
    }
}
