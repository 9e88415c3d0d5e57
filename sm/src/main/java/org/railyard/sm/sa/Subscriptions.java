package org.railyard.sm.sa;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.InformInfo;
import org.railyard.mad.sa.InformInfoRecord;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.SaHeader;

/** Who wants to hear of what (spec 41 §7.5): subscriptions by port, until it ends them or leaves the subnet. */
final class Subscriptions {
    /** The queue pair of subscribers that tell none. */
    private static final int QP1 = 1;

    private final SaSettings settings;
    private final Map<Long, List<Subscription>> byPort = new LinkedHashMap<>();
    private int count;

    Subscriptions(SaSettings settings) {
        this.settings = settings;
    }

    int count() {
        return count;
    }

    /** Forgets those of ports that are not in the subnet any more. */
    void update(SubnetView view) {
        byPort.keySet().removeIf(guid -> view.portOfGuid(guid) == Fabric.NONE);
        count = byPort.values().stream().mapToInt(List::size).sum();
    }

    /** Tells whether a subscription was not ended, though it may have been made anew. */
    boolean has(Subscription one) {
        List<Subscription> own = byPort.getOrDefault(one.guid(), List.of());
        return own.contains(one) || own.stream().anyMatch(one::isSame);
    }

    void forEach(Consumer<Subscription> each) {
        byPort.values().forEach(list -> list.forEach(each));
    }

    /** Adds what is to be kept. */
    void write(List<SaState.Line> lines) {
        forEach(one -> lines.add(SaState.Line.of(
                SaState.Kind.SUBSCRIPTION,
                InformInfo.TYPE,
                one.filter(),
                one.guid(),
                (long) one.qpn(),
                one.isTrusted() ? 1L : 0L)));
    }

    /** Takes what was kept. */
    void restore(List<SaState.Line> lines) {
        for (SaState.Line line : lines) {
            if (line.kind() == SaState.Kind.SUBSCRIPTION) {
                InformInfo filter = line.record(InformInfo.TYPE);
                boolean isTrusted = line.number(2) != 0;
                if (Subscription.isValid(filter) && (isTrusted || !Subscription.isAboutSecurity(filter))) {
                    add(new Subscription(line.number(0), (int) line.number(1), isTrusted, filter));
                }
            }
        }
    }

    /** Answers Set: subscribes, or ends a subscription. */
    Mad set(Mad request, Requester from, SubnetView view) {
        InformInfo asked = request.data(InformInfo.TYPE);
        boolean subscribes = asked.getInt(InformInfo.SUBSCRIBE) == 1;
        if (!Subscription.isValid(asked)) {
            return request.answer(MadStatus.SA_INVALID, 0);
        }
        if (subscribes && Subscription.isAboutSecurity(asked) && !from.isTrusted()) {
            return request.answer(MadStatus.SA_DENIED, 0);
        }
        long guid = view.fabric().portGuid(from.port());
        int qpn = asked.getInt(InformInfo.QPN) == 0 ? QP1 : asked.getInt(InformInfo.QPN);
        Subscription one = new Subscription(guid, qpn, from.isTrusted(), InformInfo.TYPE.copy(asked));
        int status = subscribes ? add(one) : remove(one);
        if (status != MadStatus.OK) {
            return request.answer(status, 0);
        }
        Mad answer = request.answer(MadStatus.OK, InformInfo.TYPE.recordSize());
        answer.saHeader().set(SaHeader.ATTRIBUTE_OFFSET, InformInfo.TYPE.attributeOffset());
        answer.data(InformInfo.TYPE).setAll(asked);
        return answer;
    }

    private int add(Subscription one) {
        List<Subscription> own = byPort.getOrDefault(one.guid(), List.of());
        for (int i = 0; i < own.size(); i++) {
            if (one.isSame(own.get(i))) {
                if (one.isTrusted()) {
                    // It may have been made without the key.
                    own.set(i, one);
                }
                return MadStatus.OK;
            }
        }
        if (count >= settings.limits().subscriptions()
                || own.size() >= settings.limits().subscriptionsPerPort()) {
            return MadStatus.SA_NO_RESOURCES;
        }
        byPort.computeIfAbsent(one.guid(), _ -> new ArrayList<>()).add(one);
        count++;
        return MadStatus.OK;
    }

    private int remove(Subscription one) {
        List<Subscription> own = byPort.get(one.guid());
        if (own == null || !own.removeIf(one::isSame)) {
            return MadStatus.SA_INVALID;
        }
        count--;
        if (own.isEmpty()) {
            byPort.remove(one.guid());
        }
        return MadStatus.OK;
    }

    /** Answers Get and GetTable of InformInfoRecord: to the trusted all, to others their own. */
    Mad list(Mad request, Requester from, SubnetView view) {
        Matcher<InformInfoRecord> records =
                new Matcher<>(InformInfoRecord.TYPE, request, settings.limits().answerBytes());
        long own = view.fabric().portGuid(from.port());
        byPort.forEach((guid, list) -> {
            for (int i = 0; i < list.size() && (from.isTrusted() || guid == own); i++) {
                InformInfoRecord record = InformInfoRecord.TYPE
                        .create()
                        .setGid(InformInfoRecord.SUBSCRIBER_GID, new Gid(settings.subnetPrefix(), guid))
                        .set(InformInfoRecord.ENUM, i);
                record.informInfo().setAll(list.get(i).filter());
                records.offer(record);
            }
        });
        return records.answer(request);
    }
}
