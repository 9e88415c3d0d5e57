package org.railyard.lnet.fault;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.railyard.lnet.api.FaultFilter;
import org.railyard.lnet.api.FaultRule;
import org.railyard.lnet.api.FaultRuleInfo;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/** A fault rule at work: its counters, and where in the present window it strikes. */
public final class ActiveRule {
    private static final long SECOND = 1_000_000_000L;

    private final FaultRule rule;
    private final FaultFilter filter;
    private final RandomGenerator random;
    private final long[] hits = new long[MessageType.values().length];
    private long examined;

    /** By number: place in the window, and the place that is hit. */
    private int place;

    private int struck;

    /** By time: start of the window, and the instant from which on the next message is hit. */
    private long windowStart;

    private long strikeAt;

    ActiveRule(FaultRule rule, RandomGenerator random, long now) {
        this.rule = rule;
        this.filter = rule.filter();
        this.random = random;
        reset(now);
    }

    /** Returns the rule. */
    public FaultRule rule() {
        return rule;
    }

    /** Takes the counters to 0 and begins a new window. */
    void reset(long now) {
        Arrays.fill(hits, 0);
        examined = 0;
        place = 0;
        // Every other message: always beginning with the first.
        struck = filter.rate() > 2 ? random.nextInt(filter.rate()) : 0;
        windowStart = now;
        rollInstant();
    }

    private void rollInstant() {
        if (filter.interval() > 0) {
            strikeAt = windowStart + random.nextLong(filter.interval() * SECOND);
        }
    }

    /** Tells whether the attributes fit a message. */
    boolean fits(LNetHeader header, Nid receivedOn) {
        MessageType type = header.type();
        if (!filter.messages().contains(type)
                || !FaultFilter.matches(filter.source(), header.srcNid())
                || !FaultFilter.matches(filter.target(), header.destNid())
                || !filter.local().isAny() && !filter.local().equals(receivedOn)) {
            return false;
        }
        // With portals only PUTs and GETs fit, and an odd portal is not in the mask.
        int portal = filter.portals() == 0 ? 0 : header.portal();
        return filter.portals() == 0 || (portal >= 0 && portal < Long.SIZE && (filter.portals() >>> portal & 1) != 0);
    }

    /** Takes note of a message that fits; tells whether rate or interval hit it. */
    boolean strikes(LNetHeader header, boolean byChance, boolean always, long now) {
        examined++;
        boolean hit;
        if (always) {
            hit = true;
        } else if (byChance) {
            hit = random.nextBoolean();
        } else {
            hit = filter.rate() > 0 ? strikesByNumber() : strikesByTime(now);
        }
        if (hit) {
            hits[header.type().number()]++;
        }
        return hit;
    }

    private boolean strikesByNumber() {
        boolean hit = place == struck;
        place++;
        if (place == filter.rate()) {
            place = 0;
            struck = random.nextInt(filter.rate());
        }
        return hit;
    }

    private boolean strikesByTime(long now) {
        if (strikeAt - now > 0) {
            return false;
        }
        long interval = filter.interval() * SECOND;
        // The next window, or the present one if no message came for longer.
        windowStart += interval * Math.max(1, (now - windowStart) / interval);
        rollInstant();
        return true;
    }

    FaultRuleInfo snapshot() {
        long put = hits[MessageType.PUT.number()];
        long ack = hits[MessageType.ACK.number()];
        long get = hits[MessageType.GET.number()];
        long reply = hits[MessageType.REPLY.number()];
        return new FaultRuleInfo(rule, examined, put + ack + get + reply, put, ack, get, reply);
    }
}
