package org.railyard.sm.sa;

import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.ServiceRecord;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.SaHeader;

/** Services that clients have registered (spec 41 §7.4), each until its lease ends or its port leaves the subnet. */
final class Services {
    private static final long FOR_EVER = 0xFFFF_FFFFL;
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;
    private static final long NO_END = Long.MAX_VALUE;

    private static final long NEEDED = ServiceRecord.SERVICE_ID.mask() | ServiceRecord.GID.mask();

    private final SaLimits limits;
    private final Map<Key, Service> services = new LinkedHashMap<>();

    private record Key(long id, Gid gid, int pKey) {}

    private static final class Service {
        private final ServiceRecord record;
        private final long ownerGuid;
        private final long endsAt;

        Service(ServiceRecord record, long ownerGuid, long endsAt) {
            this.record = record;
            this.ownerGuid = ownerGuid;
            this.endsAt = endsAt;
        }

        boolean hasKeyOf(ServiceRecord asked) {
            return record.get(ServiceRecord.KEY_HIGH) == asked.get(ServiceRecord.KEY_HIGH)
                    && record.get(ServiceRecord.KEY_LOW) == asked.get(ServiceRecord.KEY_LOW);
        }
    }

    Services(SaLimits limits) {
        this.limits = limits;
    }

    int count() {
        return services.size();
    }

    /** Returns when the next lease ends, ns; the largest number if none does. */
    long nextEnd() {
        long next = NO_END;
        for (Service service : services.values()) {
            next = Math.min(next, service.endsAt);
        }
        return next;
    }

    /** Forgets services whose lease has ended. */
    void expire(long now) {
        services.values().removeIf(service -> service.endsAt != NO_END && service.endsAt - now <= 0);
    }

    /** Forgets services of ports that are not in the subnet any more. */
    void update(SubnetView view) {
        services.values().removeIf(service -> view.portOfGuid(service.ownerGuid) == Fabric.NONE);
    }

    /** Forgets services at a GUID that no port has any more. */
    void guidGoes(long guid) {
        services.keySet().removeIf(key -> key.gid.guid() == guid);
    }

    /**
     * Adds what is to be kept, with the rest of each lease, and the time of day if any lease ends: they go on while
     * nobody is master.
     */
    void write(List<SaState.Line> lines, long now, Instant timeOfDay) {
        if (nextEnd() != NO_END) {
            lines.add(SaState.Line.of(SaState.Kind.TIME, timeOfDay.toEpochMilli()));
        }
        for (Service service : services.values()) {
            lines.add(SaState.Line.of(
                    SaState.Kind.SERVICE, ServiceRecord.TYPE, withRest(service, now), service.ownerGuid));
        }
    }

    /**
     * Takes what was kept, but for leases that have ended since; GIDs of ports are those that the settings have. By a
     * time of day that is before that of the writing nothing of a lease has passed.
     */
    void restore(List<SaState.Line> lines, SaSettings settings, long now, Instant timeOfDay) {
        long passed = 0;
        for (SaState.Line line : lines) {
            if (line.kind() == SaState.Kind.TIME) {
                passed = passed(line.number(0), timeOfDay.toEpochMilli());
            } else if (line.kind() == SaState.Kind.SERVICE) {
                restore(line, settings, now, passed);
            }
        }
    }

    private static long passed(long written, long now) {
        return written < 0 || written > now ? 0 : (now - written) * MILLI;
    }

    private void restore(SaState.Line line, SaSettings settings, long now, long passed) {
        ServiceRecord record = line.record(ServiceRecord.TYPE);
        record.setGid(ServiceRecord.GID, settings.renewed(record.getGid(ServiceRecord.GID)));
        long owner = line.number(0);
        long written = end(record.get(ServiceRecord.LEASE), now);
        long end = written == NO_END ? NO_END : written - passed;
        if (end > now && services.size() < limits.services() && ofPort(owner) < limits.servicesPerPort()) {
            services.putIfAbsent(key(record, ServiceRecord.P_KEY.mask()), new Service(record, owner, end));
        }
    }

    private static long end(long lease, long now) {
        return lease == FOR_EVER ? NO_END : now + lease * SECOND;
    }

    private static ServiceRecord withRest(Service service, long now) {
        ServiceRecord record = ServiceRecord.TYPE.copy(service.record);
        if (service.endsAt != NO_END) {
            record.set(ServiceRecord.LEASE, Math.max(0, (service.endsAt - now + SECOND - 1) / SECOND));
        }
        return record;
    }

    private static Key key(ServiceRecord asked, long mask) {
        int pKey = (mask & ServiceRecord.P_KEY.mask()) == 0 ? 0 : asked.getInt(ServiceRecord.P_KEY);
        return new Key(asked.get(ServiceRecord.SERVICE_ID), asked.getGid(ServiceRecord.GID), pKey);
    }

    /** Answers Set: registers a service of the requester's own port, or renews its lease. */
    Mad register(Mad request, Requester from, SubnetView view, long now) {
        ServiceRecord asked = request.data(ServiceRecord.TYPE);
        long mask = request.saHeader().get(SaHeader.COMPONENT_MASK);
        if ((mask & NEEDED) != NEEDED) {
            return request.answer(MadStatus.SA_FEW_COMPONENTS, 0);
        }
        Key key = key(asked, mask);
        int port = view.portOfGuid(key.gid.guid());
        if (port == Fabric.NONE || key.pKey != 0 && !SaKeys.has(view.keys(port), key.pKey)) {
            return request.answer(MadStatus.SA_INVALID, 0);
        }
        Service known = services.get(key);
        boolean isStrange = port != from.port() || known != null && !known.hasKeyOf(asked);
        if (isStrange && !from.isTrusted()) {
            return request.answer(MadStatus.SA_DENIED, 0);
        }
        long owner = view.fabric().portGuid(port);
        if (known == null && (services.size() >= limits.services() || ofPort(owner) >= limits.servicesPerPort())) {
            return request.answer(MadStatus.SA_NO_RESOURCES, 0);
        }
        long lease = (mask & ServiceRecord.LEASE.mask()) == 0 ? FOR_EVER : asked.get(ServiceRecord.LEASE);
        ServiceRecord record =
                ServiceRecord.TYPE.copy(asked).set(ServiceRecord.LEASE, lease).set(ServiceRecord.P_KEY, key.pKey);
        services.put(key, new Service(record, owner, end(lease, now)));
        return answer(request, record);
    }

    private int ofPort(long owner) {
        int count = 0;
        for (Service service : services.values()) {
            count += service.ownerGuid == owner ? 1 : 0;
        }
        return count;
    }

    /** Answers Delete: by ID, GID and P_Key. */
    Mad remove(Mad request, Requester from, SubnetView view) {
        ServiceRecord asked = request.data(ServiceRecord.TYPE);
        long mask = request.saHeader().get(SaHeader.COMPONENT_MASK);
        if ((mask & NEEDED) != NEEDED) {
            return request.answer(MadStatus.SA_FEW_COMPONENTS, 0);
        }
        Key key = key(asked, mask);
        Service known = services.get(key);
        if (known == null) {
            return request.answer(MadStatus.SA_NO_RECORDS, 0);
        }
        boolean isOwn = known.ownerGuid == view.fabric().portGuid(from.port()) && known.hasKeyOf(asked);
        if (!isOwn && !from.isTrusted()) {
            return request.answer(MadStatus.SA_DENIED, 0);
        }
        services.remove(key);
        return answer(request, known.record);
    }

    private static Mad answer(Mad request, ServiceRecord record) {
        Mad answer = request.answer(MadStatus.OK, ServiceRecord.TYPE.recordSize());
        answer.saHeader().set(SaHeader.ATTRIBUTE_OFFSET, ServiceRecord.TYPE.attributeOffset());
        answer.data(ServiceRecord.TYPE).setAll(record);
        return answer;
    }

    /** Answers Get and GetTable: with the rest of each lease; keys are for the trusted. */
    Mad list(Mad request, Requester from, SubnetView view, long now) {
        Matcher<ServiceRecord> records = new Matcher<>(ServiceRecord.TYPE, request, limits.answerBytes());
        // What is left of it changes each second: whoever asks with all that it registered would not find it.
        records.settle(ServiceRecord.LEASE.mask());
        for (Iterator<Service> all = services.values().iterator(); all.hasNext() && !records.isFull(); ) {
            ServiceRecord record = visible(all.next(), from, view, now);
            if (record != null) {
                records.offer(record);
            }
        }
        return records.answer(request);
    }

    private static @Nullable ServiceRecord visible(Service service, Requester from, SubnetView view, long now) {
        int pKey = service.record.getInt(ServiceRecord.P_KEY);
        if (!from.isTrusted() && pKey != 0 && !SaKeys.has(view.keys(from.port()), pKey)) {
            return null;
        }
        ServiceRecord record = withRest(service, now);
        if (!from.isTrusted()) {
            record.set(ServiceRecord.KEY_HIGH, 0).set(ServiceRecord.KEY_LOW, 0);
        }
        return record;
    }
}
