package org.railyard.sm.sa;

import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.InformInfo;
import org.railyard.mad.smp.Notice;

/**
 * A port that wants to hear of some notices (spec 41 §7.5).
 *
 * @param guid port GUID of the subscriber
 * @param qpn queue pair that reports go to
 * @param isTrusted the subscriber had the key of the SA
 * @param filter which notices; belongs to the subscription
 */
record Subscription(long guid, int qpn, boolean isTrusted, InformInfo filter) {
    private static final int ALL_LIDS = 0xFFFF;
    private static final int BOTH = 0xFF;
    private static final int ALL_TYPES = 0xFFFF;
    private static final int ALL_TRAPS = 0xFFFF;
    private static final int ALL_PRODUCERS = 0xFFFFFF;

    /** Tells whether a filter has values that mean something. */
    static boolean isValid(InformInfo filter) {
        int generic = filter.getInt(InformInfo.IS_GENERIC);
        int begin = filter.getInt(InformInfo.LID_BEGIN);
        int end = filter.getInt(InformInfo.LID_END);
        return filter.getInt(InformInfo.SUBSCRIBE) <= 1
                && (generic <= 1 || generic == BOTH)
                && (begin == ALL_LIDS
                        || end == 0
                        || end >= begin
                        || !filter.getGid(InformInfo.GID).equals(Gid.ZERO));
    }

    /** Tells whether a filter is for notices of security, which are for the trusted only. */
    static boolean isAboutSecurity(InformInfo filter) {
        return isSecurity(filter.getInt(InformInfo.TRAP_NUMBER)) && filter.getInt(InformInfo.IS_GENERIC) == 1;
    }

    /** Tells whether a trap is one of security: it tells keys. */
    static boolean isSecurity(int trap) {
        return trap >= Notice.BAD_M_KEY && trap <= Notice.SWITCH_BAD_P_KEY;
    }

    /** Tells whether it is the same subscription, whatever the time to answer is. */
    boolean isSame(Subscription other) {
        InformInfo mine = normal(filter);
        return guid == other.guid
                && qpn == other.qpn
                && mine.differences(normal(other.filter)).isEmpty();
    }

    private static InformInfo normal(InformInfo info) {
        return InformInfo.TYPE
                .copy(info)
                .set(InformInfo.SUBSCRIBE, 1)
                .set(InformInfo.QPN, 0)
                .set(InformInfo.RESPONSE_TIME, 0);
    }

    /** Tells whether a notice is one that the subscriber wants. */
    boolean wants(Notice notice, Gid issuer) {
        int generic = filter.getInt(InformInfo.IS_GENERIC);
        int type = filter.getInt(InformInfo.TYPE_CODE);
        int trap = filter.getInt(InformInfo.TRAP_NUMBER);
        int producer = filter.getInt(InformInfo.PRODUCER_TYPE);
        boolean isGeneric = notice.isSet(Notice.IS_GENERIC);
        return (generic == BOTH || isGeneric == (generic == 1))
                && (type == ALL_TYPES || type == notice.getInt(Notice.TYPE_CODE))
                && (trap == ALL_TRAPS || trap == notice.getInt(Notice.TRAP_NUMBER))
                && (producer == ALL_PRODUCERS || producer == notice.getInt(Notice.PRODUCER_TYPE))
                && (isTrusted || !isGeneric || !isSecurity(notice.getInt(Notice.TRAP_NUMBER)))
                && isFrom(notice.getInt(Notice.ISSUER_LID), issuer);
    }

    private boolean isFrom(int lid, Gid issuer) {
        Gid gid = filter.getGid(InformInfo.GID);
        if (!gid.equals(Gid.ZERO)) {
            return gid.equals(issuer);
        }
        int begin = filter.getInt(InformInfo.LID_BEGIN);
        int end = Math.max(begin, filter.getInt(InformInfo.LID_END));
        return begin == ALL_LIDS || lid >= begin && lid <= end;
    }
}
