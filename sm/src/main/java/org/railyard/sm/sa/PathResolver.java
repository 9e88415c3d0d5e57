package org.railyard.sm.sa;

import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.LinkRateCode;
import org.railyard.mad.sa.MultiPathRecord;
import org.railyard.mad.sa.SaPathRecord;
import org.railyard.mad.sa.SaSelector;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.SaHeader;
import org.railyard.sm.conf.Partition;
import org.railyard.sm.conf.QosLevel;

/**
 * Answers PathRecord and MultiPathRecord (spec 41 §7.2). Makes no object for a Get but the answer. For one thread:
 * others make their own over the same view.
 */
final class PathResolver {
    /** HopLimit of paths that leave the subnet. */
    private static final int FOREIGN_HOP_LIMIT = 255;

    private static final int KEYS = 0x8000;

    /** Most pairs of ends and of LIDs that are looked at for a request: twice the records of the largest answer. */
    static final int MAX_PAIRS = 1 << 19;

    private final SubnetView view;
    private final SaSettings settings;
    private final Fabric fabric;
    private final PathQuery query = new PathQuery();
    private final QosMatcher qos;
    private final PathEnd source;
    private final PathEnd destination;
    /** By P_Key without its topmost bit. */
    private final byte[] slOfKey = new byte[KEYS];

    /** The path that was found last. */
    private int key;

    private int sl;
    private int mtu;
    private int rate;
    private int life;
    private boolean isReversible;
    /** Pairs that were looked at for this request. */
    private int pairsSeen;

    PathResolver(SubnetView view, SaSettings settings) {
        this.view = view;
        this.settings = settings;
        fabric = view.fabric();
        qos = new QosMatcher(settings.qos(), view);
        source = new PathEnd(view, settings);
        destination = new PathEnd(view, settings);
        for (Partition partition : settings.partitions().partitions()) {
            slOfKey[partition.key()] = (byte) partition.sl();
        }
    }

    /**
     * Answers Get or GetTable of PathRecord.
     *
     * @param requester end port
     */
    Mad answer(Mad request, int requester, boolean isTrusted) {
        long mask = request.saHeader().get(SaHeader.COMPONENT_MASK);
        SaPathRecord asked = request.data(SaPathRecord.TYPE);
        source.clear();
        destination.clear();
        pairsSeen = 0;
        if (!query.read(asked, mask)) {
            return request.answer(MadStatus.SA_INVALID, 0);
        }
        if ((mask & SaPathRecord.SGID.mask()) != 0) {
            source.gid(asked.getGidPrefix(SaPathRecord.SGID), asked.getGidGuid(SaPathRecord.SGID), false);
        }
        if ((mask & SaPathRecord.SLID.mask()) != 0) {
            source.lid(asked.getInt(SaPathRecord.SLID));
        }
        if ((mask & SaPathRecord.DGID.mask()) != 0) {
            destination.gid(asked.getGidPrefix(SaPathRecord.DGID), asked.getGidGuid(SaPathRecord.DGID), true);
        }
        if ((mask & SaPathRecord.DLID.mask()) != 0) {
            destination.lid(asked.getInt(SaPathRecord.DLID));
        }
        return request.is(MadMethod.GET, false)
                ? one(request, requester, isTrusted)
                : table(request, requester, isTrusted);
    }

    private Mad one(Mad request, int requester, boolean isTrusted) {
        if (source.kind == PathEnd.Kind.ANY) {
            source.take(requester);
        }
        if (destination.kind == PathEnd.Kind.ANY) {
            destination.take(requester);
        }
        if (mayAsk(requester, isTrusted)) {
            int pairs = source.lids() * destination.lids();
            for (int i = 0; i < pairs; i++) {
                int from = source.lidAt(offset(i, true));
                int to = destination.lidAt(offset(i, false));
                if (find(from, to)) {
                    Mad answer = request.answer(MadStatus.OK, recordSize());
                    answer.saHeader().set(SaHeader.ATTRIBUTE_OFFSET, SaPathRecord.TYPE.attributeOffset());
                    write(answer.data(SaPathRecord.TYPE), from, to);
                    return answer;
                }
            }
        }
        return request.answer(MadStatus.SA_NO_RECORDS, 0);
    }

    /**
     * Ends that are not told: for the trusted every port. Others see from their own port, if they name it as the
     * source, all ports that they share a partition with (spec 41 §7.1); else an end not told is their own port.
     */
    private Mad table(Mad request, int requester, boolean isTrusted) {
        RecordBuffer records = new RecordBuffer(settings.limits().answerBytes());
        boolean anySource = source.kind == PathEnd.Kind.ANY;
        boolean anyDestination = destination.kind == PathEnd.Kind.ANY;
        long all = view.endPorts();
        if (anySource
                && anyDestination
                && isTrusted
                && all * all > settings.limits().answerBytes() / recordSize()) {
            return request.answer(MadStatus.SA_NO_RESOURCES, 0);
        }
        if (!anySource || !isTrusted) {
            sources(records, anySource ? requester : Fabric.NONE, requester, isTrusted, anyDestination);
        } else {
            for (int port = 0; port < fabric.portCount() && !records.isOverflowed(); port++) {
                if (view.isEndPort(port)) {
                    sources(records, port, requester, true, anyDestination);
                }
            }
        }
        return records.answer(request, SaPathRecord.TYPE);
    }

    private static int recordSize() {
        return SaPathRecord.TYPE.recordSize();
    }

    private void sources(RecordBuffer records, int from, int requester, boolean isTrusted, boolean anyDestination) {
        if (from != Fabric.NONE) {
            source.take(from);
        }
        if (!anyDestination) {
            paths(records, requester, isTrusted);
            return;
        }
        boolean isOwn = from == Fabric.NONE && source.kind == PathEnd.Kind.PORT && source.port == requester;
        for (int port = 0; port < fabric.portCount() && !records.isOverflowed(); port++) {
            if (view.isEndPort(port) && (isTrusted || isOwn || port == requester)) {
                destination.take(port);
                paths(records, requester, isTrusted);
            }
        }
    }

    /** Adds the paths between the two ends: equal offsets of LIDs first. */
    private void paths(RecordBuffer records, int requester, boolean isTrusted) {
        if (!mayAsk(requester, isTrusted)) {
            return;
        }
        int pairs = source.lids() * destination.lids();
        int left = query.paths;
        for (int i = 0; i < pairs && left > 0; i++) {
            int from = source.lidAt(offset(i, true));
            int to = destination.lidAt(offset(i, false));
            if (++pairsSeen > MAX_PAIRS) {
                records.refuse();
                return;
            }
            if (find(from, to)) {
                write(records.next(SaPathRecord.TYPE), from, to);
                left--;
            }
        }
    }

    /** Returns the offset of the source's or destination's LID in a pair: each pair comes once, equal offsets first. */
    private int offset(int pair, boolean ofSource) {
        int sources = source.lids();
        int destinations = destination.lids();
        int more = Math.max(sources, destinations);
        int at = pair % more;
        int shifted = at + pair / more;
        if (sources >= destinations) {
            return ofSource ? at : shifted % destinations;
        }
        return ofSource ? shifted % sources : at;
    }

    private boolean mayAsk(int requester, boolean isTrusted) {
        return source.kind == PathEnd.Kind.PORT
                && destination.kind == PathEnd.Kind.PORT
                && !query.isRaw
                && (isTrusted || view.share(requester, source.port) && view.share(requester, destination.port));
    }

    /** Looks for the path between two LIDs of the ends; false if there is none like that. */
    private boolean find(int from, int to) {
        QosLevel level = qos.level(query, source.port, destination.port);
        if (!findKey(level)) {
            return false;
        }
        int there = view.path(source.port, to);
        if (there == SubnetView.NO_PATH) {
            return false;
        }
        boolean isLoopback = source.port == destination.port;
        int longest = isLoopback ? 0 : settings.packetLife();
        mtu = query.mtu(mtu(level, SubnetView.pathMtu(there)));
        rate = query.rate(rate(level, SubnetView.pathRate(there)));
        life = query.life(level != null && level.packetLife() >= 0 ? Math.min(longest, level.packetLife()) : longest);
        if (mtu == Choice.NONE || rate == Choice.NONE || life == Choice.NONE) {
            return false;
        }
        int wished = level != null ? level.sl() : slOfKey[key & KEYS - 1];
        int hint = query.sl >= 0 ? query.sl : wished;
        sl = view.sl(from, to, hint);
        if (sl == PathSls.NO_SL && isLoopback) {
            sl = hint;
        }
        isReversible = view.path(destination.port, from) != SubnetView.NO_PATH;
        return sl != PathSls.NO_SL && (query.sl < 0 || query.sl == sl) && (isReversible || !query.isReversible);
    }

    /** Looks for the P_Key of the path: one that is asked for, that of the level, or the first of both ends. */
    private boolean findKey(@Nullable QosLevel level) {
        int[] keys = view.keys(source.port);
        int[] others = view.keys(destination.port);
        int needed = level == null ? SaKeys.NONE : level.pKey();
        boolean isAsked = query.key != SaKeys.NONE;
        if (isAsked && needed != SaKeys.NONE && (needed & KEYS - 1) != (query.key & KEYS - 1)) {
            return false;
        }
        int wanted = isAsked ? query.key : needed;
        int held = wanted == SaKeys.NONE ? SaKeys.common(keys, others) : SaKeys.common(keys, others, wanted);
        // A record has the components that were asked for: the key as it was given, though the port holds the other.
        key = isAsked && held != SaKeys.NONE ? query.key : held;
        return key != SaKeys.NONE;
    }

    private static int mtu(@Nullable QosLevel level, int there) {
        return level == null || level.mtu() == 0 ? there : Math.min(there, level.mtu());
    }

    private static int rate(@Nullable QosLevel level, int there) {
        if (level == null || level.rate() == 0) {
            return there;
        }
        int limit = LinkRateCode.tenthsOfGigabits(level.rate());
        return limit < LinkRateCode.tenthsOfGigabits(there) ? level.rate() : there;
    }

    private void write(SaPathRecord record, int from, int to) {
        record.setGid(SaPathRecord.DGID, destination.prefix, destination.guid)
                .setGid(SaPathRecord.SGID, source.prefix, source.guid)
                .set(SaPathRecord.DLID, to)
                .set(SaPathRecord.SLID, from)
                .set(SaPathRecord.REVERSIBLE, isReversible ? 1 : 0)
                .set(SaPathRecord.P_KEY, key)
                .set(SaPathRecord.SL, sl)
                .set(SaPathRecord.MTU_SELECTOR, SaSelector.EXACTLY)
                .set(SaPathRecord.MTU, mtu)
                .set(SaPathRecord.RATE_SELECTOR, SaSelector.EXACTLY)
                .set(SaPathRecord.RATE, rate)
                .set(SaPathRecord.LIFE_SELECTOR, SaSelector.EXACTLY)
                .set(SaPathRecord.LIFE, life);
        if (destination.isForeign) {
            record.set(SaPathRecord.HOP_LIMIT, FOREIGN_HOP_LIMIT)
                    .set(SaPathRecord.FLOW_LABEL, query.flowLabel)
                    .set(SaPathRecord.TCLASS, query.tClass);
        }
    }

    /**
     * Answers GetMulti of MultiPathRecord: paths from each source to each destination, as what they are, PathRecords
     * (spec 40 §5.2).
     */
    Mad answerMulti(Mad request, int requester, boolean isTrusted) {
        return multi(request, requester, isTrusted).set(Mad.ATTRIBUTE_ID, SaPathRecord.TYPE.id());
    }

    private Mad multi(Mad request, int requester, boolean isTrusted) {
        long mask = request.saHeader().get(SaHeader.COMPONENT_MASK);
        MultiPathRecord asked = request.data(MultiPathRecord.TYPE);
        int sources = asked.getInt(MultiPathRecord.SGID_COUNT);
        int destinations = asked.getInt(MultiPathRecord.DGID_COUNT);
        if (sources == 0 || destinations == 0) {
            return request.answer(MadStatus.SA_FEW_COMPONENTS, 0);
        }
        int end = Mad.SA_DATA + MultiPathRecord.LAYOUT.size() + (sources + destinations) * MultiPathRecord.GID_BYTES;
        if (end > request.bytes().length || !query.read(asked, mask)) {
            return request.answer(MadStatus.SA_INVALID, 0);
        }
        RecordBuffer records = new RecordBuffer(settings.limits().answerBytes());
        pairsSeen = 0;
        for (int i = 0; i < sources; i++) {
            Gid from = asked.gid(i);
            for (int j = 0; j < destinations && !records.isOverflowed(); j++) {
                Gid to = asked.gid(sources + j);
                source.clear();
                destination.clear();
                source.gid(from.prefix(), from.guid(), false);
                destination.gid(to.prefix(), to.guid(), true);
                paths(records, requester, isTrusted);
            }
        }
        return records.answer(request, SaPathRecord.TYPE);
    }
}
