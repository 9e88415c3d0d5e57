package org.railyard.sm.sa;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.SmInfo;
import org.railyard.mad.smp.TrapDetails;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadLoop;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MgmtClass;
import org.railyard.sm.model.GroupMembers;
import org.railyard.sm.model.PartitionKeys;
import org.railyard.sm.model.PortGuids;
import org.railyard.sm.model.SubnetSnapshot;

/**
 * The subnet administration of a master (spec 41 §7): answers requests from the snapshot of the last sweep, holds
 * multicast groups, services, subscriptions and alias GUIDs, and reports to subscribers. It lives as long as the
 * mastership; until the first snapshot it answers that it is busy.
 *
 * <p>Sans-I/O; everything is to be called in the loop of the transport. The transport has to reassemble: long answers
 * leave it to RMPP.
 */
public final class SubnetAdministration {
    /** How long changes of groups, or of GUIDs, are collected before they are asked to be programmed, ns. */
    public static final long COLLECT_NANOS = 20_000_000L;

    /** How long changes are collected before they are kept, ns. */
    public static final long SAVE_NANOS = 2_000_000_000L;

    /** What is kept is written anew so often, ns: that it is recent has to be seen. */
    public static final long REFRESH_NANOS = 300_000_000_000L;

    private static final int FROM_SUBNET_MANAGEMENT_TYPE = 3;
    private static final long NO_END = Long.MAX_VALUE;

    private SaSettings settings;
    private final MadRequests requests;
    private final MadLoop loop;
    private final Runnable groupsChanged;
    private final Runnable guidsChanged;
    private final AliasGuids aliases;
    private final McGroups groups;
    private final Services services;
    private final Subscriptions subscriptions;
    private final Reports reports;
    private final Responder responder;
    private @Nullable SubnetView view;
    private @Nullable Runnable groupTimer;
    private @Nullable Runnable guidTimer;
    private @Nullable Runnable leaseTimer;
    private @Nullable Runnable saveTimer;
    private Consumer<String> keeper = text -> {};
    private InstantSource clock = () -> Instant.EPOCH;
    private boolean isKept;
    /** Whether the timer is for the regular writing, not for a change. */
    private boolean isRefresh;

    private boolean closed;

    /**
     * Makes one that knows no subnet yet.
     *
     * @param requests answers and reports leave by these
     * @param loop of the same transport
     * @param groupsChanged members of groups have changed, some time ago: see {@link #groups}
     * @param guidsChanged ports shall have other GUIDs, since some time ago: see {@link #portGuids}
     * @param managers tells what the subnet managers say of themselves, whenever a client asks
     */
    public SubnetAdministration(
            SaSettings settings,
            MadRequests requests,
            MadLoop loop,
            Runnable groupsChanged,
            Runnable guidsChanged,
            Supplier<List<SmInfo>> managers) {
        this.settings = settings;
        this.requests = requests;
        this.loop = loop;
        this.groupsChanged = groupsChanged;
        this.guidsChanged = guidsChanged;
        aliases = new AliasGuids(settings.limits().aliases(), new GuidChanges());
        groups = new McGroups(settings, aliases, new GroupChanges());
        services = new Services(settings.limits());
        subscriptions = new Subscriptions(settings);
        reports = new Reports(requests, subscriptions, settings.limits().reports());
        responder = new Responder(settings, loop, aliases, groups, services, subscriptions, managers);
    }

    /**
     * Takes other settings; members of groups, services, subscriptions and alias GUIDs stay. Ports are taken out of the
     * groups of partitions that they do not belong to any more.
     *
     * @param other settings with the same prefix and limits
     * @param keys P_Keys that end ports shall have
     * @return what stays otherwise than the settings have it, one line each
     * @throws IllegalArgumentException if prefix or limits differ
     */
    public List<String> configure(SaSettings other, PartitionKeys keys) {
        if (other.subnetPrefix() != settings.subnetPrefix() || !other.limits().equals(settings.limits())) {
            throw new IllegalArgumentException("the prefix of the subnet and limits stay as they are");
        }
        settings = other;
        responder.configure(other);
        return groups.configure(other, (guid, key) -> isToHave(guid, key, keys));
    }

    private boolean isToHave(long guid, int key, PartitionKeys keys) {
        SubnetView now = view;
        int port = now == null ? Fabric.NONE : now.portOfGuid(guid);
        return now == null
                || port == Fabric.NONE
                || SaKeys.has(
                        keys.of(now.fabric(), port).stream()
                                .mapToInt(Integer::intValue)
                                .toArray(),
                        key);
    }

    /**
     * Gives what has to outlive this mastership to a keeper: some time after each change, and every 5 minutes; nothing
     * before the first snapshot.
     *
     * @param timeOfDay by which the next master tells how much of leases has passed
     */
    public void keep(Consumer<String> newKeeper, InstantSource timeOfDay) {
        keeper = newKeeper;
        clock = timeOfDay;
        isKept = true;
    }

    /**
     * Looks whether a text is one that a keeper was given.
     *
     * @throws org.railyard.fabric.format.FormatException if it is not
     */
    public static void check(String text) {
        SaState.parse(text);
    }

    /**
     * Takes what an earlier master had given to its keeper, before the first snapshot. Whatever does not fit the subnet
     * is forgotten then; services whose leases have ended since are not taken.
     *
     * @param timeOfDay as it is now
     * @throws org.railyard.fabric.format.FormatException if it is no such text; nothing has changed then
     */
    public void restore(String text, Instant timeOfDay) {
        SaState state = SaState.parse(text);
        aliases.restore(state.lines());
        groups.restore(state.lines());
        services.restore(state.lines(), settings, loop.nanoTime(), timeOfDay);
        subscriptions.restore(state.lines());
    }

    private void saveSoon() {
        if (!isKept || view == null || closed || saveTimer != null && !isRefresh) {
            return;
        }
        if (saveTimer != null) {
            saveTimer.run();
        }
        isRefresh = false;
        saveTimer = loop.schedule(SAVE_NANOS, this::save);
    }

    /** Gives what has changed to the keeper now, not some time later: before the mastership ends. */
    public void saveNow() {
        if (saveTimer != null && !isRefresh && !closed) {
            saveTimer.run();
            save();
        }
    }

    private void save() {
        List<SaState.Line> lines = new ArrayList<>();
        aliases.write(lines);
        groups.write(lines);
        services.write(lines, loop.nanoTime(), clock.instant());
        subscriptions.write(lines);
        saveTimer = loop.schedule(REFRESH_NANOS, this::save);
        isRefresh = true;
        keeper.accept(new SaState(lines).text());
    }

    /**
     * Takes the subnet as it is from now on: forgets what belongs to ports that are gone, and reports them and those
     * that are new (traps 64 and 65).
     */
    public void update(SubnetSnapshot snapshot) {
        SubnetView old = view;
        SubnetView now = new SubnetView(snapshot, aliases, old);
        view = now;
        responder.view(now);
        // Before groups, which report those that end.
        reports.update(now);
        aliases.update(now);
        groups.update(now);
        services.update(now);
        subscriptions.update(now);
        setLeaseTimer();
        saveSoon();
        if (old != null && subscriptions.count() > 0) {
            reportPorts(old, now, Notice.OUT_OF_SERVICE);
            reportPorts(now, old, Notice.IN_SERVICE);
        }
    }

    /**
     * Reports the end ports that one view has and the other has not; a port whose P_Keys nobody knows yet is not there,
     * as it could be told to nobody.
     */
    private void reportPorts(SubnetView of, SubnetView not, int trap) {
        Fabric fabric = of.fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            int[] keys = of.keys(port);
            if (of.isEndPort(port) && keys.length > 0 && !isSeen(fabric.portGuid(port), not)) {
                report(trap, fabric.portGuid(port), keys);
                aliases.of(fabric.portGuid(port)).forEach(alias -> report(trap, alias, keys));
            }
        }
    }

    private static boolean isSeen(long guid, SubnetView view) {
        int port = view.portOfOwnGuid(guid);
        return port != Fabric.NONE && view.keys(port).length > 0;
    }

    /** Reports a GUID to those who share a partition with its port. */
    private void report(int trap, long guid, int[] keys) {
        SubnetView now = view;
        if (now != null) {
            report(
                    trap,
                    new Gid(settings.subnetPrefix(), guid),
                    subscriber -> SaKeys.common(now.keys(subscriber), keys) != SaKeys.NONE);
        }
    }

    /** Reports what the SM itself has to tell. */
    private void report(int trap, Gid gid, IntPredicate maySee) {
        SubnetView now = view;
        if (now == null) {
            return;
        }
        int own = now.snapshot().smPort();
        Notice notice = Notice.TYPE
                .create()
                .set(Notice.IS_GENERIC, 1)
                .set(Notice.TYPE_CODE, FROM_SUBNET_MANAGEMENT_TYPE)
                .set(Notice.PRODUCER_TYPE, Notice.FROM_SUBNET_MANAGEMENT)
                .set(Notice.TRAP_NUMBER, trap)
                .set(Notice.ISSUER_LID, now.fabric().lid(own));
        notice.details().setGid(TrapDetails.GID, gid);
        reports.report(notice, new Gid(settings.subnetPrefix(), now.fabric().portGuid(own)), maySee);
    }

    /**
     * Reports a trap that an agent sent to those who subscribed to it. What only a subnet manager may tell, traps 64 to
     * 67, is not believed of agents.
     *
     * @param issuerLid where it came from; of an unknown LID nobody hears
     */
    public void trap(Notice notice, int issuerLid) {
        SubnetView now = view;
        int port = now == null ? Fabric.NONE : now.fabric().portOfLid(issuerLid);
        if (now == null || port == Fabric.NONE || isOwnKind(notice)) {
            return;
        }
        Gid issuer = new Gid(settings.subnetPrefix(), now.fabric().portGuid(port));
        reports.report(notice, issuer, subscriber -> now.share(subscriber, port));
    }

    private static boolean isOwnKind(Notice notice) {
        int trap = notice.getInt(Notice.TRAP_NUMBER);
        return notice.isSet(Notice.IS_GENERIC)
                && (trap >= Notice.IN_SERVICE && trap <= Notice.GROUP_DELETED
                        || notice.getInt(Notice.PRODUCER_TYPE) == Notice.FROM_SUBNET_MANAGEMENT);
    }

    /** Takes a MAD of the SA's class that is a request, and sends the answer if it gets one. */
    public void received(Mad mad, MadAddress from) {
        if (closed) {
            return;
        }
        responder.answer(mad, from).ifPresent(answer -> requests.answer(answer, from.forAnswer(MgmtClass.SA)));
        if (responder.hasNewLease()) {
            setLeaseTimer();
        }
        if (mad.is(MadMethod.SET, false) || mad.is(MadMethod.DELETE, false)) {
            saveSoon();
        }
    }

    /** Returns the answer to a request; nothing if it gets none. */
    public Optional<Mad> answer(Mad request, MadAddress from) {
        return responder.answer(request, from);
    }

    /** Returns the multicast groups that have members, for routing. */
    public List<GroupMembers> groups() {
        return groups.routed();
    }

    /** Returns the GUIDs that ports shall have beside their own; ports that are absent, too. */
    public List<PortGuids> portGuids() {
        return aliases.blocks();
    }

    /** Returns what was done so far. */
    public SaCounters counters() {
        return new SaCounters(
                responder.byAttribute(),
                responder.byStatus(),
                responder.unknownRequesters(),
                responder.wrongKeys(),
                reports.sent(),
                reports.unanswered(),
                reports.dropped(),
                groups.count(),
                groups.memberships(),
                services.count(),
                subscriptions.count(),
                aliases.count());
    }

    /** Checks what always holds. */
    public void checkInvariants() {
        aliases.checkInvariants();
        groups.checkInvariants();
        reports.checkInvariants();
        SaCounters counters = counters();
        SaLimits limits = settings.limits();
        if (counters.memberships() > limits.memberships()
                || counters.services() > limits.services()
                || counters.subscriptions() > limits.subscriptions()
                || counters.aliases() > limits.aliases()) {
            throw new IllegalStateException("more than " + limits + ": " + counters);
        }
    }

    /** Ends it: nothing is answered any more, no timer is left. */
    public void close() {
        closed = true;
        for (Runnable timer : new @Nullable Runnable[] {groupTimer, guidTimer, leaseTimer, saveTimer}) {
            if (timer != null) {
                timer.run();
            }
        }
        groupTimer = null;
        guidTimer = null;
        leaseTimer = null;
        saveTimer = null;
    }

    private void setLeaseTimer() {
        if (leaseTimer != null) {
            leaseTimer.run();
            leaseTimer = null;
        }
        long next = services.nextEnd();
        if (next != NO_END && !closed) {
            leaseTimer = loop.schedule(Math.max(0, next - loop.nanoTime()), () -> {
                leaseTimer = null;
                services.expire(loop.nanoTime());
                setLeaseTimer();
                saveSoon();
            });
        }
    }

    private final class GroupChanges implements McGroups.Changes {
        @Override
        public void group(int trap, Gid mgid, int pKey) {
            SubnetView now = view;
            if (now != null) {
                report(trap, mgid, subscriber -> SaKeys.has(now.keys(subscriber), pKey));
            }
        }

        @Override
        public void members() {
            if (groupTimer == null && !closed) {
                groupTimer = loop.schedule(COLLECT_NANOS, () -> {
                    groupTimer = null;
                    groupsChanged.run();
                });
            }
        }
    }

    private final class GuidChanges implements AliasGuids.Changes {
        @Override
        public void added(long portGuid, long alias) {
            reportAlias(Notice.IN_SERVICE, portGuid, alias);
        }

        @Override
        public void goes(long portGuid, long alias) {
            groups.guidGoes(alias);
            services.guidGoes(alias);
            reportAlias(Notice.OUT_OF_SERVICE, portGuid, alias);
        }

        private void reportAlias(int trap, long portGuid, long alias) {
            SubnetView now = view;
            int port = now == null ? Fabric.NONE : now.portOfOwnGuid(portGuid);
            if (now != null && port != Fabric.NONE) {
                report(trap, alias, now.keys(port));
            }
        }

        @Override
        public void changed() {
            if (guidTimer == null && !closed) {
                guidTimer = loop.schedule(COLLECT_NANOS, () -> {
                    guidTimer = null;
                    guidsChanged.run();
                });
            }
        }
    }
}
