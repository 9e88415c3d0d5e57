package org.railyard.o2iblnd.rdma;

import org.railyard.base.Errno;
import org.railyard.o2iblnd.tune.LustreRelease;
import org.railyard.o2iblnd.tune.Registration;
import org.railyard.verbs.DmaList;

/**
 * What the mapping of memory makes of it (spec 20 §11): by which mode, and how many fragments of a descriptor come out.
 *
 * @param mode the mode that is used
 * @param fragments how many, from 1; 0 if there is an error
 * @param error 0, or a negative errno
 */
public record FragmentPlan(Registration mode, int fragments, int error) {
    /** No connection is known yet, and so no limit. */
    public static final int NO_LIMIT = Integer.MAX_VALUE;

    /**
     * What a node has and how it is set.
     *
     * @param era whose rules count
     * @param registration the mode of its device, besides a global region
     * @param globalRegion whether there is a region over all memory, which old eras prefer
     * @param mapOnDemand the effective value, 0 for off; for old eras
     */
    public record Rules(LustreRelease era, Registration registration, boolean globalRegion, int mapOnDemand) {
        /** Returns the rules of a node of today. */
        public static Rules now(Registration registration) {
            return new Rules(LustreRelease.NOW, registration, false, 1);
        }
    }

    private static FragmentPlan ok(Registration mode, int fragments) {
        return new FragmentPlan(mode, fragments, 0);
    }

    private static FragmentPlan failed(Registration mode, Errno why) {
        return new FragmentPlan(mode, 0, why.status());
    }

    /**
     * Decides.
     *
     * @param pieces the memory by its DMA addresses, at least one piece
     * @param limit max_frags of the connection, or {@link #NO_LIMIT}
     */
    public static FragmentPlan of(DmaList pieces, int pageBytes, Rules rules, int limit) {
        int count = pieces.size();
        if (count > rules.era.maxFragments()) {
            return failed(rules.registration, Errno.EMSGSIZE);
        }
        if (rules.era != LustreRelease.NOW && rules.globalRegion && prefersGlobal(rules, count, limit)) {
            return ok(Registration.GLOBAL, count);
        }
        return switch (rules.registration) {
            case GLOBAL -> ok(Registration.GLOBAL, count);
            case FMR -> fmr(pieces, pageBytes, rules.era, limit);
            case FASTREG -> fastReg(pieces, pageBytes, rules.era);
            case FASTREG_GAPS -> ok(Registration.FASTREG_GAPS, 1);
            case ARENA -> count > limit ? failed(Registration.ARENA, Errno.EFBIG) : ok(Registration.ARENA, count);
        };
    }

    private static boolean prefersGlobal(Rules rules, int count, int limit) {
        if (rules.mapOnDemand == 0) {
            return true;
        }
        return rules.era.isOld() && count < Math.min(limit, rules.mapOnDemand);
    }

    private static FragmentPlan fmr(DmaList pieces, int pageBytes, LustreRelease era, int limit) {
        if (era == LustreRelease.V2_7 || era == LustreRelease.V2_10) {
            return ok(Registration.FMR, 1);
        }
        int count = pieces.size();
        if (era == LustreRelease.V2_10_29290) {
            return ok(Registration.FMR, count);
        }
        if (!pieces.hasGaps(pageBytes)) {
            return ok(Registration.FMR, 1);
        }
        // The peer would have to be set to more fragments: say so now, instead of failing while the writes are put
        // together.
        return era == LustreRelease.NOW && limit <= count
                ? failed(Registration.FMR, Errno.EFBIG)
                : ok(Registration.FMR, count);
    }

    private static FragmentPlan fastReg(DmaList pieces, int pageBytes, LustreRelease era) {
        if (pieces.hasGaps(pageBytes)) {
            return failed(Registration.FASTREG, era == LustreRelease.NOW ? Errno.EPROTONOSUPPORT : Errno.EINVAL);
        }
        return ok(Registration.FASTREG, 1);
    }
}
