package org.railyard.sm.sa;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.McMemberRecord;
import org.railyard.mad.sa.SaSelector;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.SaHeader;
import org.railyard.sm.conf.Partition;
import org.railyard.sm.conf.PartitionGroup;
import org.railyard.sm.model.GroupMembers;

/** The multicast groups of the subnet (spec 41 §7.3): who joins, who leaves, and what becomes of the groups. */
final class McGroups {
    private static final int FULL_MEMBER_KEY = 0x8000;
    private static final int PARTITION = 0x7FFF;
    private static final int TRANSIENT = 1;
    private static final int LAST_SCOPE = 14;
    private static final int ALL_STATES = 0xF;

    /** First half of the addresses that are made here: transient, with a scope, and the SA's own signature. */
    private static final long OWN_ADDRESS = 0xFF10_A01BL << Integer.SIZE;

    private static final long THIS_SUBNET = 2;
    private static final int SCOPE_SHIFT = 48;

    private static final long JOIN =
            McMemberRecord.MGID.mask() | McMemberRecord.PORT_GID.mask() | McMemberRecord.JOIN_STATE.mask();

    private static final long CREATE = JOIN
            | McMemberRecord.Q_KEY.mask()
            | McMemberRecord.TCLASS.mask()
            | McMemberRecord.P_KEY.mask()
            | McMemberRecord.FLOW_LABEL.mask()
            | McMemberRecord.SL.mask();

    /** Components that are compared otherwise than by being equal: see {@link McGroup#fits}. */
    private static final long FITTED = McMemberRecord.P_KEY.mask()
            | McMemberRecord.MTU_SELECTOR.mask()
            | McMemberRecord.MTU.mask()
            | McMemberRecord.RATE_SELECTOR.mask()
            | McMemberRecord.RATE.mask()
            | McMemberRecord.LIFE_SELECTOR.mask()
            | McMemberRecord.LIFE.mask();

    private SaSettings settings;
    private final AliasGuids aliases;
    private final Changes changes;
    /** Whether an end port, by GUID, shall have a P_Key: it may have others until the next sweep has ended. */
    private BiPredicate<Long, Integer> belongs = (_, _) -> true;

    private final Map<Gid, McGroup> groups = new LinkedHashMap<>();
    private final MulticastIds mlids = new MulticastIds();
    private final Map<Long, Integer> groupsOfPort = new LinkedHashMap<>();
    /** By the GUID that is a port's own: how many groups were made for it. */
    private final Map<Long, Integer> madeFor = new LinkedHashMap<>();

    private int memberships;
    private long made;
    /** Whether members were taken from what was kept and not compared with a subnet yet. */
    private boolean isRestored;

    /** Who has to know of changes. */
    interface Changes {
        /** A group was created or deleted: trap 66 or 67. */
        void group(int trap, Gid mgid, int pKey);

        /** Members have changed: trees have to be computed. */
        void members();
    }

    McGroups(SaSettings settings, AliasGuids aliases, Changes changes) {
        this.settings = settings;
        this.aliases = aliases;
        this.changes = changes;
        for (Partition partition : settings.partitions().partitions()) {
            for (PartitionGroup group : partition.groups()) {
                if (!create(partition.key(), group)) {
                    throw new IllegalArgumentException("partition 0x%04x: no multicast LID is left for group %s"
                            .formatted(partition.key(), group.mgid()));
                }
            }
        }
    }

    /** Makes a group that is there from the beginning; false if there is no multicast LID for it. */
    private boolean create(int key, PartitionGroup from) {
        int mlid = mlids.take(0, Integer.MAX_VALUE);
        if (mlid == MulticastIds.NONE) {
            return false;
        }
        groups.put(from.mgid(), new McGroup(record(key, from, mlid), true));
        return true;
    }

    private McMemberRecord record(int key, PartitionGroup from, int mlid) {
        McMemberRecord common = McMemberRecord.TYPE
                .create()
                .setGid(McMemberRecord.MGID, from.mgid())
                .set(McMemberRecord.Q_KEY, Integer.toUnsignedLong(from.qKey()))
                .set(McMemberRecord.MLID, mlid)
                .set(McMemberRecord.TCLASS, from.tClass())
                .set(McMemberRecord.P_KEY, key | FULL_MEMBER_KEY)
                // Where only QoS levels are free, the SL of a partition means its level, as it does for paths.
                .set(McMemberRecord.SL, isSl(from.sl()) ? from.sl() : from.sl() & SaSettings.LEVEL_BIT)
                .set(McMemberRecord.FLOW_LABEL, from.flowLabel())
                .set(McMemberRecord.SCOPE, PartitionGroup.scopeOf(from.mgid()));
        McGroup.setPath(common, from.mtu(), from.rate(), settings.packetLife());
        return common;
    }

    /**
     * Takes other settings. Groups of partitions that are not told any more stay until their members have left; groups
     * that are told otherwise stay as they are while they have members. Ports that do not belong to a group's partition
     * any more are taken out.
     *
     * @param newBelongs whether an end port, by GUID, shall have a P_Key; asked later, too
     * @return what stays otherwise than the settings have it, one line each
     */
    List<String> configure(SaSettings other, BiPredicate<Long, Integer> newBelongs) {
        settings = other;
        belongs = newBelongs;
        List<String> notes = new ArrayList<>();
        for (McGroup group : groups.values()) {
            group.fix(false);
        }
        boolean changed = takeOut(belongs);
        for (Partition partition : other.partitions().partitions()) {
            for (PartitionGroup group : partition.groups()) {
                configure(partition.key(), group, notes);
            }
        }
        for (McGroup group : List.copyOf(groups.values())) {
            if (group.isDead()) {
                delete(group);
                changed = true;
            }
        }
        if (changed) {
            changes.members();
        }
        return notes;
    }

    /** Takes ports out of the groups of partitions that they do not belong to; groups stay. */
    private boolean takeOut(BiPredicate<Long, Integer> mayStay) {
        boolean changed = false;
        for (McGroup group : groups.values()) {
            for (long guid : List.copyOf(group.members().keySet())) {
                if (!mayStay.test(guid, group.pKey())) {
                    group.leave(guid, group.joinState(guid));
                    forget(guid);
                    changed = true;
                }
            }
        }
        return changed;
    }

    private void configure(int key, PartitionGroup told, List<String> notes) {
        McGroup known = groups.get(told.mgid());
        if (known != null) {
            McMemberRecord wanted = record(key, told, known.mlid());
            boolean isSame = known.common().differences(wanted).isEmpty();
            if (!isSame && known.members().isEmpty()) {
                known.common().setAll(wanted);
            } else if (!isSame) {
                notes.add("multicast group %s stays as it is while it has members".formatted(told.mgid()));
            }
            known.fix(true);
        } else if (create(key, told)) {
            changes.group(Notice.GROUP_CREATED, told.mgid(), key | FULL_MEMBER_KEY);
        } else {
            notes.add("multicast group %s is not made: no multicast LID is left".formatted(told.mgid()));
        }
    }

    private void delete(McGroup group) {
        group.members().keySet().forEach(this::forget);
        groups.remove(group.mgid());
        free(group);
        changes.group(Notice.GROUP_DELETED, group.mgid(), group.pKey());
    }

    int count() {
        return groups.size();
    }

    int memberships() {
        return memberships;
    }

    /** Returns the groups that have members, for routing. */
    List<GroupMembers> routed() {
        List<GroupMembers> all = new ArrayList<>();
        for (McGroup group : groups.values()) {
            if (!group.members().isEmpty()) {
                all.add(new GroupMembers(
                        group.mlid(),
                        group.sl(),
                        group.members().keySet().stream()
                                .map(aliases::ownerOf)
                                .distinct()
                                .toList()));
            }
        }
        return all;
    }

    /** Adds what is to be kept. */
    void write(List<SaState.Line> lines) {
        for (McGroup group : groups.values()) {
            lines.add(SaState.Line.of(SaState.Kind.GROUP, McMemberRecord.TYPE, group.record()));
            group.members()
                    .forEach((guid, member) -> lines.add(SaState.Line.of(
                            SaState.Kind.MEMBER,
                            member.portGid().prefix(),
                            guid,
                            (long) group.joinState(guid),
                            group.isProxy(guid) ? 1L : 0L)));
        }
    }

    /** Takes what was kept, before anybody has joined. Multicast LIDs stay; groups of the settings are as these say. */
    void restore(List<SaState.Line> lines) {
        List<McGroup> told = List.copyOf(groups.values());
        told.forEach(group -> mlids.free(group.mlid()));
        Set<Gid> seen = new LinkedHashSet<>();
        McGroup group = null;
        for (SaState.Line line : lines) {
            if (line.kind() == SaState.Kind.GROUP) {
                group = restored(line.record(McMemberRecord.TYPE), seen);
            } else if (line.kind() == SaState.Kind.MEMBER && group != null) {
                int state = (int) line.number(2) & ALL_STATES;
                Gid port = settings.renewed(new Gid(line.number(0), line.number(1)));
                boolean isFree = state != 0 && !isTooMany(group, port.guid());
                if (isFree && group.join(port, state, line.number(3) != 0)) {
                    remember(port.guid());
                    if (group.maker() == McGroup.NOBODY && !group.isFixed()) {
                        // Who asked for it was not kept.
                        madeFor(group, port.guid());
                    }
                }
            }
        }
        for (McGroup each : told) {
            int mlid = seen.contains(each.mgid()) ? each.mlid() : mlids.take(0, Integer.MAX_VALUE);
            if (mlid == MulticastIds.NONE) {
                groups.remove(each.mgid());
            } else {
                each.common().set(McMemberRecord.MLID, mlid);
            }
        }
        isRestored = true;
    }

    private void free(McGroup group) {
        mlids.free(group.mlid());
        if (group.maker() != McGroup.NOBODY) {
            madeFor.computeIfPresent(group.maker(), (_, count) -> count == 1 ? null : count - 1);
        }
    }

    private void madeFor(McGroup group, long guid) {
        long owner = aliases.ownerOf(guid);
        group.madeFor(owner);
        madeFor.merge(owner, 1, Integer::sum);
    }

    /** Returns the group that a record tells; null if it can be none, or is told twice. */
    private @Nullable McGroup restored(McMemberRecord told, Set<Gid> seen) {
        Gid mgid = told.getGid(McMemberRecord.MGID);
        McGroup known = groups.get(mgid);
        int mlid = mgid.isMulticast() && !seen.contains(mgid) && isSl(told.getInt(McMemberRecord.SL))
                ? mlids.take(told.getInt(McMemberRecord.MLID), Integer.MAX_VALUE)
                : MulticastIds.NONE;
        if (mlid == MulticastIds.NONE) {
            return null;
        }
        seen.add(mgid);
        if (known != null) {
            known.common().set(McMemberRecord.MLID, mlid);
            return known;
        }
        McMemberRecord common = McMemberRecord.TYPE
                .copy(told)
                .set(McMemberRecord.MLID, mlid)
                .setGid(McMemberRecord.PORT_GID, Gid.ZERO)
                .set(McMemberRecord.JOIN_STATE, 0)
                .set(McMemberRecord.PROXY_JOIN, 0);
        McGroup group = new McGroup(common, false);
        groups.put(mgid, group);
        return group;
    }

    /** Forgets members that are not in the subnet any more; what was kept may be of other partitions, too. */
    void update(SubnetView view) {
        boolean changed = false;
        if (isRestored) {
            isRestored = false;
            takeOut((guid, key) -> {
                int port = view.portOfGuid(guid);
                boolean isUntold = port != Fabric.NONE && view.keys(port).length == 0;
                return port == Fabric.NONE || isIn(port, key, view) || isUntold && belongs.test(guid, key);
            });
            List.copyOf(groups.values()).stream()
                    .filter(group -> group.isDead() || group.mlid() - Lids.MIN_MULTICAST >= view.groupCapacity())
                    .forEach(this::delete);
            // Trees of a few who are not there, or may not be, have been made.
            changed = true;
        }
        for (McGroup group : List.copyOf(groups.values())) {
            for (long guid : List.copyOf(group.members().keySet())) {
                boolean isThere = groups.get(group.mgid()) == group;
                if (isThere && view.portOfGuid(guid) == Fabric.NONE) {
                    changed |= leave(group, guid, group.joinState(guid));
                }
            }
        }
        if (changed) {
            changes.members();
        }
    }

    /** Takes state from a member, and the group away if nothing keeps it; returns whether trees have changed. */
    private boolean leave(McGroup group, long guid, int joinState) {
        group.leave(guid, joinState);
        boolean changed = group.joinState(guid) == 0;
        if (changed) {
            forget(guid);
        }
        if (group.isDead()) {
            delete(group);
            return true;
        }
        return changed;
    }

    private void remember(long guid) {
        memberships++;
        groupsOfPort.merge(aliases.ownerOf(guid), 1, Integer::sum);
    }

    private void forget(long guid) {
        memberships--;
        groupsOfPort.merge(aliases.ownerOf(guid), -1, (old, less) -> old + less == 0 ? null : old + less);
    }

    /** Takes a GUID out of all groups that no port will have any more. */
    void guidGoes(long guid) {
        boolean changed = false;
        for (McGroup group : List.copyOf(groups.values())) {
            if (group.members().containsKey(guid)) {
                changed |= leave(group, guid, group.joinState(guid));
            }
        }
        if (changed) {
            changes.members();
        }
    }

    /** Answers Set: joins a group, and creates it if it is not there. */
    Mad join(Mad request, Requester from, SubnetView view) {
        McMemberRecord asked = request.data(McMemberRecord.TYPE);
        long mask = request.saHeader().get(SaHeader.COMPONENT_MASK);
        Gid portGid = asked.getGid(McMemberRecord.PORT_GID);
        int port = port(portGid, view);
        boolean isProxy = McGroup.has(mask, McMemberRecord.PROXY_JOIN.mask()) && asked.isSet(McMemberRecord.PROXY_JOIN);
        McGroup group = groups.get(asked.getGid(McMemberRecord.MGID));
        int key = group != null ? group.pKey() : asked.getInt(McMemberRecord.P_KEY);
        int refused = mayChange(asked, mask, port, from, isProxy && share(from.port(), port, key, view));
        if (refused != MadStatus.OK) {
            return request.answer(refused, 0);
        }
        boolean exists = group != null;
        int status = group != null ? mayJoin(group, asked, mask, port, view) : mayCreate(asked, mask);
        if (status == MadStatus.OK
                && (isTooMany(group, portGid.guid())
                        || group == null && !mayHaveAnother(portGid.guid(), view.groupCapacity()))) {
            status = MadStatus.SA_NO_RESOURCES;
        }
        if (status != MadStatus.OK) {
            return request.answer(status, 0);
        }
        if (group == null) {
            McMemberRecord common = McMemberRecord.TYPE.create();
            status = create(common, asked, mask, port, view);
            if (status != MadStatus.OK) {
                return request.answer(status, 0);
            }
            group = new McGroup(common, false);
            madeFor(group, portGid.guid());
            groups.put(group.mgid(), group);
        }
        if (group.join(portGid, asked.getInt(McMemberRecord.JOIN_STATE), isProxy)) {
            remember(portGid.guid());
            changes.members();
        }
        if (!exists) {
            changes.group(Notice.GROUP_CREATED, group.mgid(), group.pKey());
        }
        return answer(request, group.record(portGid.guid()));
    }

    private boolean isTooMany(@Nullable McGroup group, long guid) {
        boolean isMember = group != null && group.members().containsKey(guid);
        return !isMember
                && (memberships >= settings.limits().memberships()
                        || groupsOfPort.getOrDefault(aliases.ownerOf(guid), 0)
                                >= settings.limits().membershipsPerPort());
    }

    /** A port may have as many groups made as it leaves multicast LIDs to others: half of them at most. */
    private boolean mayHaveAnother(long guid, int capacity) {
        return madeFor.getOrDefault(aliases.ownerOf(guid), 0) < mlids.left(capacity);
    }

    private static Mad answer(Mad request, McMemberRecord record) {
        Mad answer = request.answer(MadStatus.OK, McMemberRecord.TYPE.recordSize());
        answer.saHeader().set(SaHeader.ATTRIBUTE_OFFSET, McMemberRecord.TYPE.attributeOffset());
        answer.data(McMemberRecord.TYPE).setAll(record);
        return answer;
    }

    private int port(Gid gid, SubnetView view) {
        return settings.isHere(gid.prefix()) ? view.portOfGuid(gid.guid()) : Fabric.NONE;
    }

    /** Tells whether two ports can talk to each other in a partition. */
    private static boolean share(int one, int other, int key, SubnetView view) {
        return other != Fabric.NONE && SaKeys.common(view.keys(one), view.keys(other), key) != SaKeys.NONE;
    }

    /** Whoever joins or leaves for another port has to be trusted, or a proxy. */
    private static int mayChange(McMemberRecord asked, long mask, int port, Requester from, boolean mayProxy) {
        if (!McGroup.has(mask, JOIN)) {
            return MadStatus.SA_FEW_COMPONENTS;
        }
        if (asked.getInt(McMemberRecord.JOIN_STATE) == 0 || port == Fabric.NONE) {
            return MadStatus.SA_INVALID;
        }
        return port == from.port() || from.isTrusted() || mayProxy ? MadStatus.OK : MadStatus.SA_DENIED;
    }

    /** Tells whether a port is a member of a partition, and stays one. */
    private boolean isIn(int port, int key, SubnetView view) {
        return SaKeys.has(view.keys(port), key) && belongs.test(view.fabric().portGuid(port), key);
    }

    private int mayJoin(McGroup group, McMemberRecord asked, long mask, int port, SubnetView view) {
        boolean able = view.mtu(port) >= group.common().getInt(McMemberRecord.MTU)
                && Choice.rate(SaSelector.EXACTLY, group.common().getInt(McMemberRecord.RATE), view.rateCode(port))
                        != Choice.NONE;
        return group.agrees(asked, mask) && able && isIn(port, group.pKey(), view)
                ? MadStatus.OK
                : MadStatus.SA_INVALID;
    }

    private int mayCreate(McMemberRecord asked, long mask) {
        if (!McGroup.has(mask, CREATE)) {
            return MadStatus.SA_FEW_COMPONENTS;
        }
        int sl = asked.getInt(McMemberRecord.SL);
        boolean isFull = (asked.getInt(McMemberRecord.JOIN_STATE)
                        & (McMemberRecord.FULL_MEMBER | McMemberRecord.SEND_ONLY_FULL_MEMBER))
                != 0;
        return isFull && isSl(sl) && isAddress(asked, mask) ? MadStatus.OK : MadStatus.SA_INVALID;
    }

    private boolean isSl(int sl) {
        return (settings.groupSls() >>> sl & 1) != 0;
    }

    /** None at all, or one of a group that may be: the address of an IP group tells its partition. */
    private static boolean isAddress(McMemberRecord asked, long mask) {
        Gid mgid = asked.getGid(McMemberRecord.MGID);
        boolean hasScope = McGroup.has(mask, McMemberRecord.SCOPE.mask());
        int askedScope = asked.getInt(McMemberRecord.SCOPE);
        if (mgid.equals(Gid.ZERO)) {
            return !hasScope || isScope(askedScope);
        }
        int flags = (int) (mgid.prefix() >>> 52) & 0xF;
        int scope = PartitionGroup.scopeOf(mgid);
        int key = asked.getInt(McMemberRecord.P_KEY);
        return mgid.isMulticast()
                && (!hasScope || askedScope == scope)
                && flags <= TRANSIENT
                && isScope(scope)
                && (!PartitionGroup.isIp(mgid) || (PartitionGroup.keyOf(mgid) & PARTITION) == (key & PARTITION));
    }

    private static boolean isScope(int scope) {
        return scope > 0 && scope <= LAST_SCOPE;
    }

    /** Fills in what a new group is like; returns why there can be none. */
    private int create(McMemberRecord group, McMemberRecord asked, long mask, int port, SubnetView view) {
        int key = asked.getInt(McMemberRecord.P_KEY);
        if (!isIn(port, key, view)) {
            return MadStatus.SA_INVALID;
        }
        group.setAll(asked)
                .setGid(McMemberRecord.PORT_GID, Gid.ZERO)
                .set(McMemberRecord.JOIN_STATE, 0)
                .set(McMemberRecord.PROXY_JOIN, 0);
        if (!McGroup.has(mask, McMemberRecord.HOP_LIMIT.mask())) {
            group.set(McMemberRecord.HOP_LIMIT, 0);
        }
        if (!path(group, asked, mask, port, view)) {
            return MadStatus.SA_INVALID;
        }
        int wanted = McGroup.has(mask, McMemberRecord.MLID.mask()) ? asked.getInt(McMemberRecord.MLID) : 0;
        int mlid = mlids.take(wanted, view.groupCapacity());
        if (mlid == MulticastIds.NONE) {
            return MadStatus.SA_NO_RESOURCES;
        }
        group.set(McMemberRecord.MLID, mlid);
        Gid mgid = asked.getGid(McMemberRecord.MGID);
        while (mgid.equals(Gid.ZERO) || groups.containsKey(mgid)) {
            long prefix = settings.subnetPrefix();
            long scope = McGroup.has(mask, McMemberRecord.SCOPE.mask()) ? asked.get(McMemberRecord.SCOPE) : THIS_SUBNET;
            mgid = new Gid(
                    OWN_ADDRESS | scope << SCOPE_SHIFT | prefix >>> Integer.SIZE,
                    prefix << Integer.SIZE | made++ & 0xFFFF_FFFFL);
        }
        group.setGid(McMemberRecord.MGID, mgid).set(McMemberRecord.SCOPE, PartitionGroup.scopeOf(mgid));
        return MadStatus.OK;
    }

    /** What is not asked for is what the port can do. */
    private boolean path(McMemberRecord group, McMemberRecord asked, long mask, int port, SubnetView view) {
        int mtu = view.mtu(port);
        int rate = view.rateCode(port);
        int life = settings.packetLife();
        if (McGroup.has(mask, McMemberRecord.MTU_SELECTOR.mask() | McMemberRecord.MTU.mask())) {
            int selector = asked.getInt(McMemberRecord.MTU_SELECTOR);
            int value = asked.getInt(McMemberRecord.MTU);
            mtu = Choice.isMtu(selector, value) ? Choice.mtu(selector, value, mtu) : Choice.NONE;
        }
        if (McGroup.has(mask, McMemberRecord.RATE_SELECTOR.mask() | McMemberRecord.RATE.mask())) {
            int selector = asked.getInt(McMemberRecord.RATE_SELECTOR);
            int value = asked.getInt(McMemberRecord.RATE);
            rate = Choice.isRate(selector, value) ? Choice.rate(selector, value, rate) : Choice.NONE;
        }
        if (McGroup.has(mask, McMemberRecord.LIFE_SELECTOR.mask() | McMemberRecord.LIFE.mask())) {
            life = Choice.life(asked.getInt(McMemberRecord.LIFE_SELECTOR), asked.getInt(McMemberRecord.LIFE), life);
        }
        if (mtu == Choice.NONE || rate == Choice.NONE || life == Choice.NONE) {
            return false;
        }
        McGroup.setPath(group, mtu, rate, life);
        return true;
    }

    /** Answers Delete: leaves a group, or gives some of the state up. */
    Mad leave(Mad request, Requester from, SubnetView view) {
        McMemberRecord asked = request.data(McMemberRecord.TYPE);
        long mask = request.saHeader().get(SaHeader.COMPONENT_MASK);
        Gid portGid = asked.getGid(McMemberRecord.PORT_GID);
        McGroup group = groups.get(asked.getGid(McMemberRecord.MGID));
        int port = port(portGid, view);
        boolean mayProxy =
                group != null && group.isProxy(portGid.guid()) && share(from.port(), port, group.pKey(), view);
        int refused = mayChange(asked, mask, port, from, mayProxy);
        int state = asked.getInt(McMemberRecord.JOIN_STATE);
        if (refused == MadStatus.OK && (group == null || (group.joinState(portGid.guid()) & state) == 0)) {
            refused = MadStatus.SA_INVALID;
        }
        if (refused != MadStatus.OK || group == null) {
            return request.answer(refused, 0);
        }
        boolean changed = leave(group, portGid.guid(), state);
        int left = group.joinState(portGid.guid());
        if (changed) {
            changes.members();
        }
        McMemberRecord record = McMemberRecord.TYPE
                .create()
                .setGid(McMemberRecord.MGID, group.mgid())
                .setGid(McMemberRecord.PORT_GID, portGid)
                .set(McMemberRecord.SCOPE, group.common().getInt(McMemberRecord.SCOPE))
                .set(McMemberRecord.JOIN_STATE, left);
        McGroup.setPath(record, 0, 0, 0);
        return answer(request, record);
    }

    /**
     * Answers Get and GetTable: to the trusted each member, to others the groups of their partitions without members,
     * but themselves if they ask for their own port.
     */
    Mad list(Mad request, Requester from, SubnetView view) {
        McMemberRecord asked = request.data(McMemberRecord.TYPE);
        long mask = request.saHeader().get(SaHeader.COMPONENT_MASK);
        Matcher<McMemberRecord> records = new Matcher<>(
                McMemberRecord.TYPE, asked, mask & ~FITTED, settings.limits().answerBytes());
        long own = view.fabric().portGuid(from.port());
        // Who is not told the members finds a group as one that has full members (spec 41 §7.3(5)).
        long joinState = from.isTrusted() ? 0 : McMemberRecord.JOIN_STATE.mask();
        boolean isFull = asked.getInt(McMemberRecord.JOIN_STATE) == McMemberRecord.FULL_MEMBER;
        for (McGroup group : groups.values()) {
            boolean isSeen = from.isTrusted() || SaKeys.has(view.keys(from.port()), group.pKey());
            if (!isSeen || !group.fits(asked, mask)) {
                continue;
            }
            boolean byPort = McGroup.has(mask, McMemberRecord.PORT_GID.mask());
            if (from.isTrusted() && !group.members().isEmpty() || byPort) {
                group.members().forEach((guid, member) -> {
                    if (from.isTrusted() || aliases.ownerOf(guid) == own) {
                        records.offer(group.record(member));
                    }
                });
            } else if (isFull || !records.asks(joinState)) {
                records.offer(group.record(), joinState);
            }
        }
        return records.answer(request);
    }

    void checkInvariants() {
        int members = 0;
        for (McGroup group : groups.values()) {
            members += group.members().size();
            if (group.isDead()) {
                throw new IllegalStateException("group " + group.mgid() + " has nobody that keeps it");
            }
        }
        int made = madeFor.values().stream().mapToInt(Integer::intValue).sum();
        long withMaker = groups.values().stream()
                .filter(group -> group.maker() != McGroup.NOBODY)
                .count();
        if (made != withMaker) {
            throw new IllegalStateException("%d groups were made for ports, %d counted".formatted(withMaker, made));
        }
        int byPort = groupsOfPort.values().stream().mapToInt(Integer::intValue).sum();
        if (members != memberships || byPort != memberships) {
            throw new IllegalStateException(
                    "%d members in groups, %d by port, %d counted".formatted(members, byPort, memberships));
        }
    }
}
