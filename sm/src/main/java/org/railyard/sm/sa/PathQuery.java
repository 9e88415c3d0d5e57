package org.railyard.sm.sa;

import org.railyard.mad.sa.MultiPathRecord;
import org.railyard.mad.sa.SaPathRecord;

/**
 * What a path has to be like, beside its ends: the components that PathRecord and MultiPathRecord have in common.
 * Filled again for each request.
 */
final class PathQuery {
    private static final int DEFAULT_PATHS = 127;
    private static final int SERVICE_LOW_BITS = 56;

    /** P_Key, {@link SaKeys#NONE} for any. */
    int key;

    /** SL, −1 for any. */
    int sl;

    /** QoS class, −1 for none. */
    int qosClass;

    boolean hasService;
    long service;
    boolean isReversible;
    boolean isRaw;
    int paths;
    int flowLabel;
    int tClass;
    private int mtuSelector;
    private int mtu;
    private int rateSelector;
    private int rate;
    private int lifeSelector;
    private int life;
    private boolean hasMtu;
    private boolean hasRate;
    private boolean hasLife;

    private static boolean asks(long mask, long component) {
        return (mask & component) != 0;
    }

    /** Takes the components of a query; returns false if a value means nothing. */
    boolean read(SaPathRecord query, long mask) {
        key = asks(mask, SaPathRecord.P_KEY.mask()) ? query.getInt(SaPathRecord.P_KEY) : SaKeys.NONE;
        sl = asks(mask, SaPathRecord.SL.mask()) ? query.getInt(SaPathRecord.SL) : -1;
        qosClass = asks(mask, SaPathRecord.QOS_CLASS.mask()) ? query.getInt(SaPathRecord.QOS_CLASS) : -1;
        hasService = asks(mask, SaPathRecord.SERVICE_ID.mask());
        service = hasService ? query.get(SaPathRecord.SERVICE_ID) : 0;
        isReversible = asks(mask, SaPathRecord.REVERSIBLE.mask()) && query.isSet(SaPathRecord.REVERSIBLE);
        isRaw = asks(mask, SaPathRecord.RAW_TRAFFIC.mask()) && query.isSet(SaPathRecord.RAW_TRAFFIC);
        paths = asks(mask, SaPathRecord.NUMB_PATH.mask()) ? query.getInt(SaPathRecord.NUMB_PATH) : 0;
        flowLabel = asks(mask, SaPathRecord.FLOW_LABEL.mask()) ? query.getInt(SaPathRecord.FLOW_LABEL) : 0;
        tClass = asks(mask, SaPathRecord.TCLASS.mask()) ? query.getInt(SaPathRecord.TCLASS) : 0;
        mtuSelector = query.getInt(SaPathRecord.MTU_SELECTOR);
        mtu = query.getInt(SaPathRecord.MTU);
        rateSelector = query.getInt(SaPathRecord.RATE_SELECTOR);
        rate = query.getInt(SaPathRecord.RATE);
        lifeSelector = query.getInt(SaPathRecord.LIFE_SELECTOR);
        life = query.getInt(SaPathRecord.LIFE);
        hasMtu = asks(mask, SaPathRecord.MTU_SELECTOR.mask()) && asks(mask, SaPathRecord.MTU.mask());
        hasRate = asks(mask, SaPathRecord.RATE_SELECTOR.mask()) && asks(mask, SaPathRecord.RATE.mask());
        hasLife = asks(mask, SaPathRecord.LIFE_SELECTOR.mask()) && asks(mask, SaPathRecord.LIFE.mask());
        return check();
    }

    /** Takes the components of a query; returns false if a value means nothing. */
    boolean read(MultiPathRecord query, long mask) {
        key = asks(mask, MultiPathRecord.P_KEY.mask()) ? query.getInt(MultiPathRecord.P_KEY) : SaKeys.NONE;
        sl = asks(mask, MultiPathRecord.SL.mask()) ? query.getInt(MultiPathRecord.SL) : -1;
        qosClass = asks(mask, MultiPathRecord.QOS_CLASS.mask()) ? query.getInt(MultiPathRecord.QOS_CLASS) : -1;
        hasService =
                asks(mask, MultiPathRecord.SERVICE_ID_HIGH.mask()) && asks(mask, MultiPathRecord.SERVICE_ID_LOW.mask());
        service = hasService
                ? query.get(MultiPathRecord.SERVICE_ID_HIGH) << SERVICE_LOW_BITS
                        | query.get(MultiPathRecord.SERVICE_ID_LOW)
                : 0;
        isReversible = asks(mask, MultiPathRecord.REVERSIBLE.mask()) && query.isSet(MultiPathRecord.REVERSIBLE);
        isRaw = asks(mask, MultiPathRecord.RAW_TRAFFIC.mask()) && query.isSet(MultiPathRecord.RAW_TRAFFIC);
        paths = asks(mask, MultiPathRecord.NUMB_PATH.mask()) ? query.getInt(MultiPathRecord.NUMB_PATH) : 0;
        flowLabel = asks(mask, MultiPathRecord.FLOW_LABEL.mask()) ? query.getInt(MultiPathRecord.FLOW_LABEL) : 0;
        tClass = asks(mask, MultiPathRecord.TCLASS.mask()) ? query.getInt(MultiPathRecord.TCLASS) : 0;
        mtuSelector = query.getInt(MultiPathRecord.MTU_SELECTOR);
        mtu = query.getInt(MultiPathRecord.MTU);
        rateSelector = query.getInt(MultiPathRecord.RATE_SELECTOR);
        rate = query.getInt(MultiPathRecord.RATE);
        lifeSelector = query.getInt(MultiPathRecord.LIFE_SELECTOR);
        life = query.getInt(MultiPathRecord.LIFE);
        hasMtu = asks(mask, MultiPathRecord.MTU_SELECTOR.mask()) && asks(mask, MultiPathRecord.MTU.mask());
        hasRate = asks(mask, MultiPathRecord.RATE_SELECTOR.mask()) && asks(mask, MultiPathRecord.RATE.mask());
        hasLife = asks(mask, MultiPathRecord.LIFE_SELECTOR.mask()) && asks(mask, MultiPathRecord.LIFE.mask());
        return check();
    }

    private boolean check() {
        paths = paths == 0 ? DEFAULT_PATHS : paths;
        return (!hasMtu || Choice.isMtu(mtuSelector, mtu)) && (!hasRate || Choice.isRate(rateSelector, rate));
    }

    /** Returns the MTU to answer for one that is possible, {@link Choice#NONE} if that does not do. */
    int mtu(int there) {
        return hasMtu ? Choice.mtu(mtuSelector, mtu, there) : there;
    }

    /** Returns the rate to answer for one that is possible, {@link Choice#NONE} if that does not do. */
    int rate(int there) {
        return hasRate ? Choice.rate(rateSelector, rate, there) : there;
    }

    /** Returns the packet life to answer, {@link Choice#NONE} if it does not do. */
    int life(int there) {
        return hasLife ? Choice.life(lifeSelector, life, there) : there;
    }
}
