package org.railyard.o2iblnd.tune;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.railyard.base.tune.TunableSpec;
import org.railyard.base.tune.TunableSpec.Flag;
import org.railyard.o2iblnd.wire.Kib;

/**
 * What becomes of tunables: the values that count, and remarks on those that were replaced (spec 20 §17, §18 step 1;
 * spec 22 mod-012, mod-013). Immutable.
 */
public final class EffectiveTunables {
    private static final int MIN_PEER_CREDITS = 8;
    private static final int MAX_PEER_CREDITS = 255;
    private static final int MAX_CONNS = 127;
    private static final int V1_MIN_SENDS = 4;
    private static final int V1_MAX_SENDS = 16;
    private static final int V1_MARK = 7;
    private static final int MIN_TX_PER_CPT = 256;
    private static final int MIN_REGIONS_PER_CPT = 256;
    private static final int OLD_FEW_FRAGMENTS = Kib.OLD_MAX_FRAGMENTS / 8;

    private final Tunables given;
    private final LustreRelease era;
    private final int version;
    private final boolean globalRegion;
    private final List<Remark> remarks = new ArrayList<>();
    private final int peerCredits;
    private final int mark;
    private final int concurrentSends;
    private final int mapOnDemand;
    private final int connsPerPeer;

    /**
     * Works out what counts.
     *
     * @param version {@link Kib#V1} or {@link Kib#V2}; V1 in any case if {@link O2ibTunable#PROTOCOL} allows no other
     * @param globalRegion whether there is a region over all memory, as in kernels before 4.9
     */
    public EffectiveTunables(Tunables given, LustreRelease era, int version, boolean globalRegion) {
        this.given = given;
        this.era = era;
        this.version = given.get(O2ibTunable.PROTOCOL) == 1 ? Kib.V1 : version;
        this.peerCredits = workOutPeerCredits();
        this.mark = workOutMark();
        this.globalRegion = globalRegion;
        this.mapOnDemand = workOutMapOnDemand(globalRegion);
        this.concurrentSends = workOutConcurrentSends();
        this.connsPerPeer = workOutConnections();
        checkRanges();
    }

    /**
     * Returns what counts in a version of the protocol.
     *
     * @param other {@link Kib#V1} or {@link Kib#V2}
     */
    public EffectiveTunables in(int other) {
        return other == version ? this : new EffectiveTunables(given, era, other, globalRegion);
    }

    /** Returns what becomes of other tunables in the same place. */
    public EffectiveTunables with(Tunables other) {
        return new EffectiveTunables(other, era, Kib.V2, globalRegion);
    }

    private int value(O2ibTunable tunable) {
        return given.get(tunable);
    }

    private void clamped(int row, O2ibTunable tunable, int effective, String rule) {
        if (given.get(tunable) != effective) {
            remarks.add(Remark.clamped(row, tunable.text(), given.get(tunable), effective, rule));
        }
    }

    private int workOutPeerCredits() {
        int wanted = value(O2ibTunable.PEER_CREDITS);
        int inRange = Math.max(MIN_PEER_CREDITS, Math.min(MAX_PEER_CREDITS, wanted));
        int effective = Math.min(inRange, value(O2ibTunable.CREDITS));
        if (effective < 1) {
            remarks.add(Remark.error(
                    1, O2ibTunable.CREDITS.text(), "given " + value(O2ibTunable.CREDITS) + ", expected at least 1"));
            return 1;
        }
        clamped(
                effective < inRange ? 1 : 0,
                O2ibTunable.PEER_CREDITS,
                effective,
                effective < inRange ? "at most credits" : "between 8 and 255");
        return effective;
    }

    private int workOutMark() {
        int wanted = value(O2ibTunable.PEER_CREDITS_HIW);
        int effective = Math.max(0, Math.min(Math.max(wanted, peerCredits / 2), peerCredits - 1));
        if (wanted != 0) {
            clamped(5, O2ibTunable.PEER_CREDITS_HIW, effective, "between peer_credits/2 and peer_credits-1");
        }
        return effective;
    }

    private int workOutMapOnDemand(boolean globalRegion) {
        int wanted = value(O2ibTunable.MAP_ON_DEMAND);
        if (!era.isOld()) {
            if (given.isGiven(O2ibTunable.MAP_ON_DEMAND)) {
                remarks.add(Remark.notice(
                        8, O2ibTunable.MAP_ON_DEMAND.text(), "obsolete, ignored: given " + wanted + ", effective 1"));
            }
            return 1;
        }
        int off = era == LustreRelease.V2_7 || globalRegion ? 0 : era.maxFragments();
        if (!given.isGiven(O2ibTunable.MAP_ON_DEMAND)) {
            return off;
        }
        boolean inRange = wanted >= 0 && wanted <= era.maxFragments();
        int effective = inRange ? wanted == 1 ? 2 : wanted : off;
        clamped(8, O2ibTunable.MAP_ON_DEMAND, effective, "0…" + era.maxFragments() + ", and 1 becomes 2");
        return effective;
    }

    private int workOutConcurrentSends() {
        int wanted = value(O2ibTunable.CONCURRENT_SENDS);
        boolean fewFragments = era.isOld() && mapOnDemand >= 1 && mapOnDemand <= OLD_FEW_FRAGMENTS;
        int asked = wanted != 0 ? wanted : fewFragments ? 2 * peerCredits : peerCredits;
        int effective = Math.max(peerCredits / 2, Math.min(2 * peerCredits, asked));
        if (version == Kib.V1) {
            effective = Math.max(V1_MIN_SENDS, Math.min(V1_MAX_SENDS, effective));
        }
        if (wanted != 0) {
            clamped(6, O2ibTunable.CONCURRENT_SENDS, effective, "between peer_credits/2 and 2*peer_credits");
            if (effective < peerCredits) {
                remarks.add(Remark.warning(
                        6,
                        O2ibTunable.CONCURRENT_SENDS.text(),
                        effective + " is less than peer_credits " + peerCredits + ": credits can not all be used"));
            }
        } else if (fewFragments) {
            remarks.add(Remark.notice(
                    9, O2ibTunable.CONCURRENT_SENDS.text(), "twice peer_credits, because map_on_demand is at most 32"));
        }
        return effective;
    }

    private int workOutConnections() {
        int wanted = value(O2ibTunable.CONNS_PER_PEER);
        int effective = wanted == 0 ? 1 : Math.max(1, Math.min(MAX_CONNS, wanted));
        if (wanted != 0) {
            clamped(16, O2ibTunable.CONNS_PER_PEER, effective, "1…" + MAX_CONNS);
        }
        return effective;
    }

    private void checkRanges() {
        for (O2ibTunable each : O2ibTunable.values()) {
            TunableSpec spec = each.spec();
            if (!spec.is(Flag.ADJUSTED) && !spec.allows(value(each))) {
                remarks.add(Remark.error(0, spec.name(), "given " + value(each) + ", expected " + spec.expected()));
            }
        }
        int mtu = value(O2ibTunable.IB_MTU);
        if (mtu != 0 && (mtu < 256 || mtu > 4096 || Integer.bitCount(mtu) != 1)) {
            remarks.add(Remark.error(
                    0,
                    O2ibTunable.IB_MTU.text(),
                    "given " + mtu + ", expected 0, 256, 512, 1024, 2048 or 4096: the NI does not start"));
        }
        if (value(O2ibTunable.FMR_POOL_SIZE) < value(O2ibTunable.NTX) / 4) {
            remarks.add(Remark.error(
                    14,
                    O2ibTunable.FMR_POOL_SIZE.text(),
                    "given " + value(O2ibTunable.FMR_POOL_SIZE) + ", expected at least ntx/4 = "
                            + value(O2ibTunable.NTX) / 4 + ": the NI does not start"));
        }
        if (value(O2ibTunable.FMR_FLUSH_TRIGGER) > value(O2ibTunable.FMR_POOL_SIZE)) {
            remarks.add(Remark.warning(
                    15,
                    O2ibTunable.FMR_FLUSH_TRIGGER.text(),
                    value(O2ibTunable.FMR_FLUSH_TRIGGER)
                            + " is more than fmr_pool_size: FMRs are never flushed in time"));
        }
        if (value(O2ibTunable.FMR_CACHE) == 0) {
            clamped(0, O2ibTunable.FMR_CACHE, 1, "0 means the default: it can not be switched off");
        }
    }

    /** Returns what there is to know about the values. */
    public List<Remark> remarks() {
        return List.copyOf(remarks);
    }

    /** Returns what was given. */
    public Tunables given() {
        return given;
    }

    /** Returns the era. */
    public LustreRelease era() {
        return era;
    }

    /** Returns the version of the protocol. */
    public int version() {
        return version;
    }

    /** Returns how many messages may be sent to a peer at a time. */
    public int peerCredits() {
        return peerCredits;
    }

    /** Returns {@link #peerCredits()}, or the fixed queue depth of V1. */
    public int offeredQueueDepth() {
        return version == Kib.V1 ? Kib.V1_QUEUE_DEPTH : peerCredits;
    }

    /** Returns peer_credits_hiw. */
    public int highWaterMark() {
        return mark;
    }

    /**
     * Returns from how many credits on they are returned, at least 1 (spec 20 §9 rule 6).
     *
     * @param queueDepth of the connection
     */
    public int returnMark(int queueDepth) {
        if (version == Kib.V1) {
            // The last credit of the peer is kept for its NOOP, so that its messages never fill the whole queue.
            return Math.max(1, Math.min(V1_MARK, queueDepth - 1));
        }
        return Math.max(1, (int) ((long) queueDepth * mark / peerCredits));
    }

    /**
     * Returns the tunables of an NI with the values that count, by the names and in the order that kernel nodes show;
     * behind them those that only Railyard has, if they were given (spec 12 §4.2).
     *
     * @param timeoutSeconds the limit that counts, or the one that was asked for, s
     */
    public Map<String, Integer> shown(int timeoutSeconds) {
        Map<String, Integer> shown = new LinkedHashMap<>();
        shown.put("peercredits_hiw", mark);
        shown.put(O2ibTunable.MAP_ON_DEMAND.text(), mapOnDemand);
        shown.put(O2ibTunable.CONCURRENT_SENDS.text(), concurrentSends);
        for (O2ibTunable each : List.of(
                O2ibTunable.FMR_POOL_SIZE, O2ibTunable.FMR_FLUSH_TRIGGER, O2ibTunable.FMR_CACHE, O2ibTunable.NTX)) {
            shown.put(each.text(), given.get(each));
        }
        shown.put(O2ibTunable.CONNS_PER_PEER.text(), connsPerPeer);
        shown.put(O2ibTunable.TIMEOUT.text(), timeoutSeconds);
        shown.put(O2ibTunable.TOS.text(), given.get(O2ibTunable.TOS));
        for (O2ibTunable each : O2ibTunable.values()) {
            if (each.spec().is(Flag.RAILYARD_ONLY) && given.isGiven(each)) {
                shown.put(each.text(), given.get(each));
            }
        }
        return shown;
    }

    /** Returns how many sends may be posted at a time. */
    public int concurrentSends() {
        return concurrentSends;
    }

    /** Returns map_on_demand, 0 for off. It means something in old eras only. */
    public int mapOnDemand() {
        return mapOnDemand;
    }

    /**
     * Returns the fragments that are offered: the most there can be, or in old eras map_on_demand. In version 1 those
     * that there could be in its days, as its nodes accept nothing else.
     */
    public int offeredFragments() {
        int offered = acceptedFragments();
        return version == Kib.V1 ? Math.min(offered, Kib.OLD_MAX_FRAGMENTS) : offered;
    }

    /** Returns the most fragments that a peer may ask for. */
    public int acceptedFragments() {
        return era.isOld() && mapOnDemand > 0 ? mapOnDemand : era.maxFragments();
    }

    /** Returns the connections to a peer. */
    public int connsPerPeer() {
        return connsPerPeer;
    }

    /** Returns the transmit descriptors of each CPT. */
    public int transmitsPerCpt(int cpts) {
        return Math.max(MIN_TX_PER_CPT, given.get(O2ibTunable.NTX) / cpts);
    }

    /** Returns the regions in the pool of each CPT. */
    public int regionsPerCpt(int cpts) {
        return Math.max(MIN_REGIONS_PER_CPT, given.get(O2ibTunable.FMR_POOL_SIZE) / cpts);
    }

    /** Returns how long a request for a connection may take, s (spec 20 §2.3). */
    public double connectSeconds(int timeoutSeconds) {
        return Math.max(5, timeoutSeconds / 4.0);
    }
}
