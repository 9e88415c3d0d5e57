package org.railyard.sm.role;

import static org.railyard.sm.role.Managers.SECOND;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.McMemberRecord;
import org.railyard.mad.sa.SaPathRecord;
import org.railyard.mad.sa.ServiceRecord;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.SaHeader;
import org.railyard.sm.conf.PartitionsConf;
import org.railyard.sm.model.GroupMembers;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.role.ChaosClient.Group;
import org.railyard.sm.role.Managers.One;

/** Compares what a subnet administration and the devices hold with what clients were told, when nothing changes. */
final class ClientsCheck {
    private static final int PARTITION = 0x7FFF;
    private static final int FULL = 0x8000;
    private static final int KEEPS = McMemberRecord.FULL_MEMBER | McMemberRecord.SEND_ONLY_FULL_MEMBER;
    private static final int MOST_HOPS = 64;

    private final Managers managers;
    private final Fabric fabric;
    private final One master;
    private final PartitionsConf conf;
    private final List<String> violations;

    ClientsCheck(Managers managers, One master, PartitionsConf conf, List<String> violations) {
        this.managers = managers;
        this.fabric = managers.fabric;
        this.master = master;
        this.conf = conf;
        this.violations = violations;
    }

    private void wrong(String what, Object... more) {
        violations.add(what.formatted(more));
    }

    /** Tells whether a port has a P_Key by the configuration. */
    boolean has(int port, int key) {
        return keys(port).stream().anyMatch(each -> (each & PARTITION) == (key & PARTITION));
    }

    private List<Integer> keys(int port) {
        return conf.keys(fabric.portGuid(managers.port(master.host))).of(fabric, port);
    }

    /** Returns all records of a kind, as the subnet administration tells them to the trusted. */
    <T extends BitStruct<T>> List<T> records(AttributeType<T> type) {
        Mad request = Mad.sa(MadMethod.GET_TABLE, type, 0);
        request.saHeader().set(SaHeader.SM_KEY, 1);
        Mad answer = master.master
                .administration()
                .answer(request, MadAddress.gmp(master.lid(), 0))
                .orElseThrow();
        List<T> all = new ArrayList<>();
        for (int i = 0; i < answer.records(); i++) {
            all.add(answer.record(type, i));
        }
        return all;
    }

    // Groups.

    /**
     * Each client is a member of what it has joined, and of nothing that it has left.
     *
     * @param forgets whether what was left at a time may have come back since
     */
    void members(List<ChaosClient> clients, LongPredicate forgets) {
        Map<Gid, Map<Gid, Integer>> held = new LinkedHashMap<>();
        for (McMemberRecord record : records(McMemberRecord.TYPE)) {
            held.computeIfAbsent(record.getGid(McMemberRecord.MGID), _ -> new LinkedHashMap<>())
                    .put(record.getGid(McMemberRecord.PORT_GID), record.getInt(McMemberRecord.JOIN_STATE));
        }
        for (ChaosClient client : clients) {
            client.joined.forEach((group, state) -> {
                int is = held.getOrDefault(group.mgid(), Map.of()).getOrDefault(client.gid, 0);
                // A group that its last full member leaves is gone for all others, too (spec 41 §7.3(4)).
                if ((state & KEEPS) != 0 && (is & state) != state) {
                    wrong("%s is no member of %s: has state %d, joined with %d", client.name, group.mgid(), is, state);
                }
            });
            held.forEach((mgid, members) -> {
                Group group = new Group(mgid, (int) mgid.prefix() & 0xFFFF);
                Long since = client.left.get(group);
                boolean isMember = members.containsKey(client.gid);
                boolean isForgotten = since != null && forgets.test(since);
                if (isMember && !client.joined.containsKey(group) && !isForgotten) {
                    wrong("%s is a member of %s, which it left", client.name, mgid);
                }
                if (isMember && !has(client.port, group.key())) {
                    wrong("%s is a member of %s without its P_Key", client.name, mgid);
                }
            });
        }
    }

    /** What a member sends to its group reaches each other member once, and nobody else. */
    void trees(List<ChaosClient> clients) {
        for (GroupMembers group : master.master.administration().groups()) {
            TreeSet<Integer> members = new TreeSet<>();
            for (ChaosClient client : clients) {
                if (group.portGuids().contains(client.gid.guid())) {
                    members.add(client.port);
                }
            }
            for (int from : members) {
                Map<Integer, Integer> reached = new TreeMap<>();
                flood(group.mlid(), fabric.cable(from), reached, 0);
                Map<Integer, Integer> wanted = new TreeMap<>();
                members.forEach(port -> wanted.put(port, 1));
                wanted.remove(from);
                reached.remove(from);
                if (!reached.equals(wanted)) {
                    wrong("0x%x of %s reaches %s, not %s", group.mlid(), fabric.portName(from), reached, wanted);
                }
            }
        }
    }

    private void flood(int mlid, int in, Map<Integer, Integer> reached, int depth) {
        int sw = fabric.nodeOf(in);
        for (int number = 1; number <= fabric.ports(sw) && depth < MOST_HOPS; number++) {
            if (reached.values().stream().anyMatch(times -> times > 1)) {
                return;
            }
            int out = fabric.portIndex(sw, number);
            if (out == in
                    || !managers.subnet.isUp(out)
                    || !managers.subnet.node(sw).multicasts(mlid, number)) {
                continue;
            }
            int peer = fabric.cable(out);
            if (fabric.isSwitch(fabric.nodeOf(peer))) {
                flood(mlid, peer, reached, depth + 1);
            } else {
                reached.merge(peer, 1, Integer::sum);
            }
        }
    }

    // Services.

    /** Each service is there until its lease has ended, or it is removed, and not longer. */
    void services(List<ChaosClient> clients, LongPredicate forgets) {
        TreeMap<Integer, Gid> held = new TreeMap<>();
        for (ServiceRecord record : records(ServiceRecord.TYPE)) {
            held.put(record.getInt(ServiceRecord.SERVICE_ID), record.getGid(ServiceRecord.GID));
        }
        long now = managers.subnet.loop().nanoTime();
        for (ChaosClient client : clients) {
            client.services.forEach((id, service) -> {
                boolean isThere = client.gid.equals(held.remove(id));
                if (!isThere && now < service.notBefore()) {
                    wrong("service %d of %s is gone %d ns before its end", id, client.name, service.notBefore() - now);
                }
                if (isThere && now > service.notAfter() + SECOND && !forgets.test(service.registeredAt())) {
                    wrong("service %d of %s is there %d ns after its end", id, client.name, now - service.notAfter());
                }
            });
            client.removed.forEach((id, since) -> {
                if (client.gid.equals(held.get(id)) && forgets.test(since)) {
                    held.remove(id);
                }
            });
        }
        held.forEach((id, gid) -> wrong("service %d of %s was never registered, or was removed", id, gid));
    }

    // Paths.

    /** There is a path between each two hosts, as the devices have it. */
    void paths(List<ChaosClient> clients, List<SaPathRecord> records) {
        Map<Long, Integer> ports = new TreeMap<>();
        clients.forEach(client -> ports.put(client.gid.guid(), client.port));
        Map<List<Integer>, Integer> seen = new LinkedHashMap<>();
        for (SaPathRecord record : records) {
            Integer from = ports.get(record.getGid(SaPathRecord.SGID).guid());
            Integer to = ports.get(record.getGid(SaPathRecord.DGID).guid());
            if (from != null && to != null) {
                seen.merge(List.of(from, to), 1, Integer::sum);
                path(record, from, to);
            }
        }
        for (int from : ports.values()) {
            for (int to : ports.values()) {
                int paths = seen.getOrDefault(List.of(from, to), 0);
                if (paths != 1) {
                    wrong("%d paths from %s to %s", paths, fabric.portName(from), fabric.portName(to));
                }
            }
        }
    }

    /** A path is as the devices have it. */
    void path(SaPathRecord record, int from, int to) {
        String name = fabric.portName(from) + " to " + fabric.portName(to);
        int slid = record.getInt(SaPathRecord.SLID);
        int dlid = record.getInt(SaPathRecord.DLID);
        if (slid != lid(from) || dlid != lid(to)) {
            wrong("path %s has LIDs %d and %d, not %d and %d", name, slid, dlid, lid(from), lid(to));
            return;
        }
        SubnetSnapshot snapshot = master.master.manager().snapshot().orElseThrow();
        int sl = snapshot.routing().orElseThrow().sls().sl(slid, dlid, 0);
        if (from != to && record.getInt(SaPathRecord.SL) != sl) {
            wrong("path %s has SL %d, not %d", name, record.getInt(SaPathRecord.SL), sl);
        }
        int key = record.getInt(SaPathRecord.P_KEY);
        if (!hasInDevice(from, key) || !hasInDevice(to, key)) {
            wrong("path %s has P_Key 0x%x", name, key);
        }
        int mtu = from == to ? mtu(from) : walked(from, to);
        if (mtu != record.getInt(SaPathRecord.MTU)) {
            wrong("path %s has MTU code %d, not %d", name, record.getInt(SaPathRecord.MTU), mtu);
        }
    }

    private int lid(int port) {
        return managers.info(port).getInt(PortInfo.LID);
    }

    private int mtu(int port) {
        return managers.info(port).getInt(PortInfo.NEIGHBOR_MTU);
    }

    private boolean hasInDevice(int port, int key) {
        PKeyTable table = managers.subnet.node(fabric.nodeOf(port)).pKeys(fabric.portNumber(port), 0);
        for (int i = 0; i < PKeyTable.BLOCK; i++) {
            int held = (int) table.get(PKeyTable.KEYS, i);
            if (held != 0 && (held & PARTITION) == (key & PARTITION) && (held & FULL) >= (key & FULL)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the smallest MTU on the way that the tables of the devices have; 0 if there is none. */
    private int walked(int from, int to) {
        int lid = lid(to);
        int mtu = mtu(from);
        int in = fabric.cable(from);
        for (int hop = 0; hop < MOST_HOPS; hop++) {
            int sw = fabric.nodeOf(in);
            int top = managers.subnet.node(sw).switchInfo().getInt(SwitchInfo.LINEAR_TOP);
            int number = lid > top ? 0 : managers.subnet.node(sw).forward(lid);
            int out = number == 0 || number > fabric.ports(sw) ? Fabric.NONE : fabric.portIndex(sw, number);
            if (out == Fabric.NONE || !managers.subnet.isUp(out)) {
                return 0;
            }
            mtu = Math.min(mtu, Math.min(mtu(in), mtu(out)));
            in = fabric.cable(out);
            if (in == to) {
                return Math.min(mtu, mtu(in));
            }
            if (!fabric.isSwitch(fabric.nodeOf(in))) {
                return 0;
            }
        }
        return 0;
    }
}
