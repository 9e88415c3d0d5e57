package org.railyard.sm.sa;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.ClassPortInfo;
import org.railyard.mad.sa.GuidInfoRecord;
import org.railyard.mad.sa.InformInfo;
import org.railyard.mad.sa.InformInfoRecord;
import org.railyard.mad.sa.LinearForwardingRecord;
import org.railyard.mad.sa.LinkRecord;
import org.railyard.mad.sa.McMemberRecord;
import org.railyard.mad.sa.MultiPathRecord;
import org.railyard.mad.sa.MulticastForwardingRecord;
import org.railyard.mad.sa.NodeRecord;
import org.railyard.mad.sa.PKeyRecord;
import org.railyard.mad.sa.PortInfoRecord;
import org.railyard.mad.sa.SaAttributes;
import org.railyard.mad.sa.SaPathRecord;
import org.railyard.mad.sa.ServiceRecord;
import org.railyard.mad.sa.SlToVlRecord;
import org.railyard.mad.sa.SmInfoRecord;
import org.railyard.mad.sa.SwitchInfoRecord;
import org.railyard.mad.sa.VlArbitrationRecord;
import org.railyard.mad.smp.SmInfo;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadLoop;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.MgmtClass;
import org.railyard.mad.wire.SaHeader;

/** Finds out who asks, whether it may, and which part answers (spec 41 §7.1). */
final class Responder {
    /** 4.096 µs · 2^16: a quarter of a second. */
    private static final int RESPONSE_TIME = 16;

    private static final int ATTRIBUTES = 256;
    private static final int STATUSES = 16;
    private static final int STATUS_STEP = 0x100;

    private SaSettings settings;
    private final MadLoop loop;
    private final AliasGuids aliases;
    private final McGroups groups;
    private final Services services;
    private final Subscriptions subscriptions;
    private final Supplier<List<SmInfo>> managers;
    private @Nullable Parts parts;
    private final long[] byAttribute = new long[ATTRIBUTES];
    private final long[] bySaStatus = new long[STATUSES];
    private final long[] byCommonStatus = new long[STATUS_STEP];
    private long unknownRequesters;
    private long wrongKeys;
    private boolean newLease;

    /** What answers from one snapshot. */
    private record Parts(SubnetView view, PathResolver paths, SubnetRecords subnet, TableRecords tables) {}

    Responder(
            SaSettings settings,
            MadLoop loop,
            AliasGuids aliases,
            McGroups groups,
            Services services,
            Subscriptions subscriptions,
            Supplier<List<SmInfo>> managers) {
        this.settings = settings;
        this.loop = loop;
        this.aliases = aliases;
        this.groups = groups;
        this.services = services;
        this.subscriptions = subscriptions;
        this.managers = managers;
    }

    /** Answers by other settings from now on. */
    void configure(SaSettings other) {
        settings = other;
        Parts known = parts;
        if (known != null) {
            view(known.view);
        }
    }

    void view(SubnetView view) {
        int bytes = settings.limits().answerBytes();
        parts = new Parts(
                view,
                new PathResolver(view, settings),
                new SubnetRecords(view, aliases, managers, bytes),
                new TableRecords(view, bytes));
    }

    SortedMap<Integer, Long> byAttribute() {
        return SaCounters.byIndex(byAttribute, 1);
    }

    SortedMap<Integer, Long> byStatus() {
        SortedMap<Integer, Long> all = SaCounters.byIndex(bySaStatus, STATUS_STEP);
        all.putAll(SaCounters.byIndex(byCommonStatus, 1));
        return all;
    }

    long unknownRequesters() {
        return unknownRequesters;
    }

    long wrongKeys() {
        return wrongKeys;
    }

    /** Tells, once, whether a service was registered. */
    boolean hasNewLease() {
        boolean is = newLease;
        newLease = false;
        return is;
    }

    /** Returns the answer; nothing to what is no request, and to those who are not known or have a wrong key. */
    Optional<Mad> answer(Mad mad, MadAddress from) {
        if (mad.mgmtClass() != MgmtClass.SA || mad.isResponse() || mad.is(MadMethod.TRAP_REPRESS, false)) {
            return Optional.empty();
        }
        Mad answer = checked(mad, from);
        if (answer == null) {
            return Optional.empty();
        }
        byAttribute[mad.attributeId() < ATTRIBUTES ? mad.attributeId() : 0]++;
        int status = answer.status();
        if (status < STATUS_STEP && status > 0) {
            byCommonStatus[status]++;
        } else {
            bySaStatus[status / STATUS_STEP & STATUSES - 1]++;
        }
        return Optional.of(answer);
    }

    private @Nullable Mad checked(Mad mad, MadAddress from) {
        if (mad.getInt(Mad.BASE_VERSION) != MgmtClass.VERSION
                || mad.getInt(Mad.CLASS_VERSION) != MgmtClass.SA_VERSION) {
            return mad.answer(MadStatus.BAD_VERSION, 0);
        }
        Parts all = parts;
        if (all == null) {
            return mad.answer(MadStatus.BUSY, 0);
        }
        long key = mad.saHeader().get(SaHeader.SM_KEY);
        if (key != 0 && key != settings.saKey()) {
            wrongKeys++;
            return null;
        }
        int port = all.view.fabric().portOfLid(from.lid());
        boolean isKnown = port != Fabric.NONE
                && (from.gid().equals(Gid.ZERO)
                        || all.view.portOfGuid(from.gid().guid()) == port);
        if (!isKnown) {
            unknownRequesters++;
            return null;
        }
        if (mad.attributeId() == SaPathRecord.TYPE.id()
                && (mad.is(MadMethod.GET, false) || mad.is(MadMethod.GET_TABLE, false))) {
            return all.paths.answer(mad, port, key != 0);
        }
        return dispatch(mad, new Requester(port, key != 0), all);
    }

    private Mad dispatch(Mad mad, Requester from, Parts all) {
        MadMethod method = mad.method().orElse(MadMethod.TRAP);
        return switch (method) {
            case GET, GET_TABLE -> list(mad, from, all);
            case SET, DELETE -> change(mad, from, all.view, method == MadMethod.SET);
            case GET_MULTI ->
                mad.isAbout(MultiPathRecord.TYPE)
                        ? all.paths.answerMulti(mad, from.port(), from.isTrusted())
                        : unsupported(mad);
            case TRAP, REPORT, TRAP_REPRESS, GET_TRACE_TABLE -> unsupported(mad);
        };
    }

    private static Mad unsupported(Mad mad) {
        return mad.answer(MadStatus.BAD_ATTRIBUTE, 0);
    }

    private Mad list(Mad mad, Requester from, Parts all) {
        boolean isTable = mad.is(MadMethod.GET_TABLE, false);
        Optional<AttributeType<?>> type = SaAttributes.find(mad.attributeId());
        if (type.isEmpty()) {
            return unsupported(mad);
        }
        AttributeType<?> asked = type.get();
        if (asked == ClassPortInfo.TYPE) {
            return isTable ? unsupported(mad) : classPortInfo(mad);
        } else if (asked == McMemberRecord.TYPE) {
            return groups.list(mad, from, all.view);
        } else if (asked == ServiceRecord.TYPE) {
            return services.list(mad, from, all.view, loop.nanoTime());
        } else if (asked == InformInfoRecord.TYPE) {
            return subscriptions.list(mad, from, all.view);
        } else if (asked == NodeRecord.TYPE) {
            return all.subnet.nodes(mad, from);
        } else if (asked == PortInfoRecord.TYPE) {
            return all.subnet.ports(mad, from);
        } else if (asked == SwitchInfoRecord.TYPE) {
            return all.subnet.switches(mad, from);
        } else if (asked == LinkRecord.TYPE) {
            return all.subnet.links(mad, from);
        } else if (asked == SmInfoRecord.TYPE) {
            return all.subnet.managers(mad, from);
        } else if (asked == PKeyRecord.TYPE) {
            return all.subnet.pKeys(mad, from);
        } else if (asked == GuidInfoRecord.TYPE) {
            return all.subnet.guids(mad, from);
        } else if (asked == LinearForwardingRecord.TYPE) {
            return all.tables.linear(mad, from);
        } else if (asked == MulticastForwardingRecord.TYPE) {
            return all.tables.multicast(mad, from);
        } else if (asked == SlToVlRecord.TYPE) {
            return all.tables.slToVl(mad, from);
        } else if (asked == VlArbitrationRecord.TYPE) {
            return all.tables.vlArbitration(mad, from);
        }
        return unsupported(mad);
    }

    private Mad change(Mad mad, Requester from, SubnetView view, boolean isSet) {
        if (mad.isAbout(McMemberRecord.TYPE)) {
            return isSet ? groups.join(mad, from, view) : groups.leave(mad, from, view);
        }
        if (mad.isAbout(ServiceRecord.TYPE)) {
            newLease |= isSet;
            return isSet ? services.register(mad, from, view, loop.nanoTime()) : services.remove(mad, from, view);
        }
        if (mad.isAbout(GuidInfoRecord.TYPE)) {
            return isSet ? aliases.set(mad, from, view) : aliases.delete(mad, from, view);
        }
        if (mad.isAbout(InformInfo.TYPE) && isSet) {
            return subscriptions.set(mad, from, view);
        }
        return unsupported(mad);
    }

    private static Mad classPortInfo(Mad mad) {
        Mad answer = mad.answer(MadStatus.OK, ClassPortInfo.TYPE.recordSize());
        answer.data(ClassPortInfo.TYPE)
                .set(ClassPortInfo.BASE_VERSION, MgmtClass.VERSION)
                .set(ClassPortInfo.CLASS_VERSION, MgmtClass.SA_VERSION)
                .set(
                        ClassPortInfo.CAPABILITY_MASK,
                        ClassPortInfo.CAP_NOTICE
                                | ClassPortInfo.CAP_MULTICAST
                                | ClassPortInfo.CAP_MULTIPATH
                                | ClassPortInfo.CAP_PORT_MASK_MATCH)
                // Without the bit of send-only full members hosts do not ask for that, or are refused by their own
                // kernel.
                .set(
                        ClassPortInfo.CAPABILITY_MASK2,
                        ClassPortInfo.CAP2_MULTICAST_TOP
                                | ClassPortInfo.CAP2_ADDITIONAL_GUIDS
                                | ClassPortInfo.CAP2_EXTENDED_SPEEDS
                                | ClassPortInfo.CAP2_SEND_ONLY_FULL_MEMBER)
                .set(ClassPortInfo.RESPONSE_TIME, RESPONSE_TIME)
                .set(ClassPortInfo.REDIRECT_QP, 1)
                .set(ClassPortInfo.REDIRECT_Q_KEY, Integer.toUnsignedLong(MadAddress.GMP_Q_KEY))
                .set(ClassPortInfo.TRAP_Q_KEY, Integer.toUnsignedLong(MadAddress.GMP_Q_KEY));
        return answer;
    }
}
