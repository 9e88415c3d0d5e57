package org.railyard.lnet.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.DelayRule;
import org.railyard.lnet.api.DropRule;
import org.railyard.lnet.api.FaultKind;
import org.railyard.lnet.api.FaultRule;
import org.railyard.lnet.api.FaultRuleInfo;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/** The drop rules and delay rules of a node, newest first; the first that strikes a message counts (spec 10 §18). */
public final class FaultTable {
    /** Most rules of a kind: each costs every message something. */
    public static final int MAX_RULES = 256;

    private static final HealthStatus[] STATUSES = HealthStatus.values();

    private final RandomGenerator random;
    private final List<ActiveRule> drops = new ArrayList<>();
    private final List<ActiveRule> delays = new ArrayList<>();

    /** Makes an empty table that takes chance from the given source. */
    public FaultTable(RandomGenerator random) {
        this.random = random;
    }

    private List<ActiveRule> listOf(FaultKind kind) {
        return kind == FaultKind.DROP ? drops : delays;
    }

    /** Tells whether there is no rule. */
    public boolean isEmpty() {
        return drops.isEmpty() && delays.isEmpty();
    }

    /**
     * Adds a rule before all others.
     *
     * @throws ErrnoException ENOSPC at {@link #MAX_RULES}
     */
    public void add(FaultRule rule, long now) {
        List<ActiveRule> list = listOf(rule.kind());
        if (list.size() >= MAX_RULES) {
            throw new ErrnoException(
                    Errno.ENOSPC, "there are " + MAX_RULES + " fault rules of this kind; delete some first");
        }
        list.addFirst(new ActiveRule(rule, random, now));
    }

    /**
     * Removes the rules with a source and a target; the wildcard stands for any.
     *
     * @return those removed
     */
    public List<ActiveRule> delete(FaultKind kind, Nid source, Nid target) {
        List<ActiveRule> gone = new ArrayList<>();
        for (ActiveRule each : listOf(kind)) {
            if ((source.isAny() || source.equals(each.rule().filter().source()))
                    && (target.isAny() || target.equals(each.rule().filter().target()))) {
                gone.add(each);
            }
        }
        listOf(kind).removeAll(gone);
        return gone;
    }

    /** Takes the counters of all rules of a kind to 0 and begins new windows. */
    public void reset(FaultKind kind, long now) {
        listOf(kind).forEach(rule -> rule.reset(now));
    }

    /** Returns the rules of a kind, newest first. */
    public List<FaultRuleInfo> rules(FaultKind kind) {
        return listOf(kind).stream().map(ActiveRule::snapshot).toList();
    }

    /** Tells whether a message that arrived is to vanish. */
    public boolean dropsOnReceipt(LNetHeader header, Nid receivedOn, long now) {
        for (int i = 0; i < drops.size(); i++) {
            ActiveRule each = drops.get(i);
            DropRule rule = (DropRule) each.rule();
            if ((rule.all() || rule.healthErrors().isEmpty())
                    && each.fits(header, receivedOn)
                    && each.strikes(header, rule.random(), rule.all(), now)) {
                return true;
            }
        }
        return false;
    }

    /** Returns how the sending of a message is to fail, {@link HealthStatus#OK} if it is not. */
    public HealthStatus failsOnSending(LNetHeader header, long now) {
        for (int i = 0; i < drops.size(); i++) {
            ActiveRule each = drops.get(i);
            DropRule rule = (DropRule) each.rule();
            if ((rule.all() || !rule.healthErrors().isEmpty())
                    && each.fits(header, Nid.ANY)
                    && each.strikes(header, rule.random(), rule.all(), now)) {
                return pick(rule.all() ? DropRule.ANY_ERROR : rule.healthErrors());
            }
        }
        return HealthStatus.OK;
    }

    /** Returns one of some statuses: one by chance among all failures, or the one of them that is nearest to it. */
    private HealthStatus pick(Set<HealthStatus> among) {
        int drawn = 1 + random.nextInt(STATUSES.length - 1);
        HealthStatus nearest = HealthStatus.OK;
        int least = Integer.MAX_VALUE;
        for (HealthStatus each : among) {
            int distance = Math.abs(each.ordinal() - drawn);
            if (distance < least) {
                least = distance;
                nearest = each;
            }
        }
        return nearest;
    }

    /** Returns the rule by which a message is to be delayed, or null. */
    public @Nullable ActiveRule delays(LNetHeader header, long now) {
        for (int i = 0; i < delays.size(); i++) {
            ActiveRule each = delays.get(i);
            if (each.fits(header, Nid.ANY) && each.strikes(header, false, false, now)) {
                return each;
            }
        }
        return null;
    }

    /** Returns for how long a rule delays, ns. */
    public static long latencyNanos(ActiveRule rule) {
        return ((DelayRule) rule.rule()).latency() * 1_000_000_000L;
    }
}
