package org.railyard.sm;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.RepeatedRouting;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.route.Routing;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.SmInfo;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.smp.TrapDetails;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.MadTransport;
import org.railyard.mad.transport.RequestCounters;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MgmtClass;
import org.railyard.sm.SweepReport.Result;
import org.railyard.sm.discover.FabricDiscovery.Reading;
import org.railyard.sm.discover.FoundSubnet;
import org.railyard.sm.lid.LidTable;
import org.railyard.sm.model.GroupMembers;
import org.railyard.sm.model.PortGuids;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.program.DryRun;
import org.railyard.sm.program.Executor;
import org.railyard.sm.program.ManagementKey;
import org.railyard.sm.program.OnlyPlanned;
import org.railyard.sm.program.PlannedSets;
import org.railyard.sm.program.Programmer;
import org.railyard.sm.program.Update;
import org.railyard.sm.role.Mastership;
import org.railyard.sm.role.OtherManager;
import org.railyard.sm.role.SmRole;
import org.railyard.sm.subnet.ManagedNode;

/**
 * A subnet manager at one port: sweeps the subnet, and again when a trap or a light sweep tells of a change (spec 41
 * §2). Among several in a subnet one is master (see {@link Mastership}); one that is not writes nothing and waits.
 *
 * <pre>
 * state     | goes on with                                     | when
 * stopped   | sweeping                                         | start
 * sweeping  | sweeping, after the traps that came are collected | the sweep ended, and a change was told meanwhile
 * sweeping  | waiting                                          | the sweep ended
 * waiting   | sweeping                                         | a trap, or it is time to repeat an incomplete sweep
 * waiting   | light sweep                                      | the time between sweeps is up
 * light     | sweeping or waiting                              | a switch tells of a change or does not answer, or not
 * sweeping  | waiting, without light sweeps                     | another subnet manager is master
 * waiting   | sweeping                                         | the master handed over, or does not answer
 * waiting   | sweeping                                         | only watching, and the time between sweeps is up
 * any       | stopped                                          | stop, or the transport failed
 * </pre>
 *
 * <p>Everything runs in the loop of the transport; {@link #snapshot()} may be called by any thread.
 */
public final class SubnetManager {
    private static final long SECOND = 1_000_000_000L;
    private static final long FIRST_RETRY = SECOND;
    private static final long NO_RETRY = Long.MAX_VALUE;
    private static final String INCOMPLETE = "the last sweep was not complete";
    private static final int SHOWN_IN_A_LEASE = 3;
    private static final long LAST_RETRY = 60_000_000_000L;

    /** Least time between the end of a sweep and the next one that only clients ask for, ns: they come in crowds. */
    static final long CLIENT_INTERVAL = 1_000_000_000L;

    /** Time after which everything is read again if only changes have been, ns. */
    static final long FULL_INTERVAL = 600_000_000_000L;

    /** So many times as long as a look takes it waits until the next one. */
    private static final int REST = 10;

    private static final String GROUPS_CHANGED = "multicast groups changed";

    private static final String GUIDS_CHANGED = "alias GUIDs changed";

    private static final String NAMES_CHANGED = "descriptions of nodes changed";

    private static final String READ_OVER =
            "another master may have gone on writing for a while: everything is read once more";

    private static final String READ_AGAIN =
            "ports were read before the bits that tell of changes were cleared: these are read again";

    /** Bits of trap 144 that only say that a description changed. */
    private static final int DESCRIPTION_ONLY = TrapDetails.CHANGED_DESCRIPTION;

    private final MadTransport transport;
    private SmSettings settings;
    private final TextStore store;
    private final SmListener listener;
    private final BiConsumer<Mad, MadAddress> others;
    private final MadRequests requests;
    private final Mastership mastership;
    private final KeyRing keys;
    private final Map<Long, ManagedNode> known = new LinkedHashMap<>();
    /** What did not answer in the last sweep. */
    private final Set<String> silent = new LinkedHashSet<>();

    private final ReceivedTraps traps;
    private final TrapRepeats repeats = new TrapRepeats();
    private List<GroupMembers> groups = List.of();
    private List<PortGuids> portGuids = List.of();
    /** The groups that the last sweep routed. */
    private List<GroupMembers> routedGroups = List.of();

    private LidTable lids = new LidTable();
    private TextStore keyStore = TextStore.NONE;
    private MKeyTable keyTable = new MKeyTable();
    private State state = State.STOPPED;
    /** Whether nothing is written: somebody else manages the subnet. */
    private boolean watching;

    private @Nullable String pending;
    private @Nullable Runnable timer;
    private @Nullable Routing routing;
    private @Nullable RoutingSettings routedBy;
    private final RepeatedRouting routings = new RepeatedRouting();
    private @Nullable Fabric fabric;
    /** Whether the timer is for a sweep that something told asks for, not for a regular one. */
    private boolean soon;
    /** When that sweep begins, ns of the loop's clock. */
    private long soonAt;

    /** When the last heavy sweep ended, ns of the loop's clock; 0 if none has. */
    private long lastEnded;

    /** Whether the next sweep has to read everything: what is known of the subnet may be wrong. */
    private boolean full = true;

    /** Whether another master may have written the tables that nodes are known to hold: the next sweep reads them. */
    private boolean areTablesInDoubt;

    /** When the last sweep began that read everything, ns of the loop's clock. */
    private long lastFull;

    private boolean onlyChangesSinceFull;

    /** Whether all switches were asked for changes in the last sweep, or since. */
    private boolean hasAskedAll;

    /** Whether the last sweep found no routes, or none that may be used, and left tables as they were. */
    private boolean isRefused;

    /** Whether the last sweep was made to read ports again: another one would find no more. */
    private boolean isReadAgain;

    /** Whether this one has taken over, and nothing was read since but in the sweeps just after. */
    private boolean hasJustTakenOver;

    /** The same of its process, which was stopped: another master may have written what the next sweep has read. */
    private boolean hasStoodStill;

    private final StandStill standStill;

    /** Whether the sweep that runs writes nothing any more: its plan is too old, or another one takes over. */
    private boolean isGivenUp;

    private boolean isLeaving;

    private long sweeps;
    private long lightSweeps;
    private long retry = FIRST_RETRY;
    /** When a sweep that was not complete is repeated, ns of the loop's clock. */
    private long retryAt = NO_RETRY;

    private volatile @Nullable SubnetSnapshot snapshot;

    private enum State {
        STOPPED,
        SWEEPING,
        LIGHT,
        WAITING
    }

    /**
     * Makes one; nothing is sent.
     *
     * @param transport becomes the subnet manager's, but closing it is left to the caller
     * @param store where LIDs are kept
     * @param others gets what is no subnet management: requests to the SA
     */
    public SubnetManager(
            MadTransport transport,
            SmSettings settings,
            TextStore store,
            SmListener listener,
            BiConsumer<Mad, MadAddress> others) {
        this.transport = transport;
        this.settings = settings;
        this.store = store;
        this.listener = listener;
        this.others = others;
        this.requests = new MadRequests(transport, settings.requests(), this::unsolicited);
        this.keys = new KeyRing(requests, settings.ports().key().key());
        requests.onFailure(this::failed);
        requests.cancelling(this::isUnwanted);
        this.standStill = new StandStill(transport.loop());
        this.traps = new ReceivedTraps(transport.loop(), listener, known);
        this.mastership = new Mastership(
                requests,
                transport.loop(),
                transport.port().portGuid(),
                settings.role(),
                settings.requests(),
                () -> requests.counters().sent(),
                new Roles());
    }

    /**
     * Keeps there which M_Keys ports have, as the text of a {@code guid2mkey} file, so that one that starts anew can
     * manage ports that have another key than it shall give them. Before all that follows.
     */
    public void keepKeys(TextStore to) {
        keyStore = to;
    }

    private void readTables() {
        lids = LidTable.parse(store.load(), settings.lmc());
        keyTable = MKeyTable.parse(keyStore.load());
        keys.recall(keyTable);
    }

    /**
     * Reads the tables of LIDs and M_Keys, says that there is a subnet manager, and begins the first sweep. In the
     * loop.
     *
     * @throws org.railyard.fabric.format.FormatException if a table is malformed
     */
    public void start() {
        readTables();
        transport.markSm(true);
        mastership.start();
        standStill.watch(this::stoodStill);
        sweep("start");
    }

    /** Another one may have managed the subnet meanwhile, and be gone already, so that nothing tells of it. */
    private void stoodStill(long nanos) {
        boolean isSweeping = state == State.SWEEPING;
        isGivenUp |= isSweeping;
        // Also of one that was not master yet: what its sweep has read may be older than what a master wrote since.
        areTablesInDoubt |= isSweeping;
        if (role() == SmRole.MASTER) {
            hasStoodStill = true;
            sweepInDoubt("it stood still for " + nanos / SECOND + " s, and another one may have taken over");
        }
    }

    /** What was read or planned before the process was stopped would undo what another one has written since. */
    private void giveUpIfStoodStill() {
        isGivenUp |= standStill.isJustOver() && state == State.SWEEPING;
    }

    private boolean isUnwanted(Mad mad) {
        giveUpIfStoodStill();
        // What told of a change meanwhile need not wait for those that are cut off by it: they are asked afterwards.
        boolean isOvertaken = state == State.LIGHT && pending != null && mad.isAbout(SwitchInfo.TYPE);
        return isOvertaken || isGivenUp && mad.is(MadMethod.SET, false) && !mad.isAbout(SmInfo.TYPE);
    }

    /**
     * Makes the first sweep without writing anything, and tells what would be written. In the loop, in place of {@link
     * #start}.
     *
     * @param each hears of each Set that would be sent
     */
    public void plan(Consumer<Update> each) {
        readTables();
        state = State.SWEEPING;
        begin("plan", new DryRun(each), new Unchanged(), TextStore.NONE, mastership::survey, ended -> {
            state = State.STOPPED;
            listener.swept(ended.report());
        });
    }

    /** What is not sent changes no table of LIDs either. */
    private final class Unchanged implements TextStore {
        @Override
        public String name() {
            return store.name();
        }

        @Override
        public String load() {
            return lids.text();
        }

        @Override
        public void save(String text) {
            // Nothing is kept.
        }
    }

    /**
     * Looks at the subnet at each interval of sweeps, beside whoever manages it: reads everything, and tells what it
     * would write. Nothing is written, and other subnet managers do not get to know of it. In the loop, in place of
     * {@link #start}; a {@link #stop} has to follow.
     *
     * @throws org.railyard.fabric.format.FormatException if a table is malformed
     */
    public void watch() {
        watching = true;
        readTables();
        sweep("start");
    }

    /** The master may have changed its tables meanwhile, and has not changed what a plan would have. */
    private void look(String why) {
        String tables = readAgain("LIDs", store, text -> lids = LidTable.parse(text, settings.lmc())) + readKeysAgain();
        known.clear();
        full = true;
        begin(
                why + tables,
                new DryRun(update -> {}),
                new Unchanged(),
                TextStore.NONE,
                mastership::survey,
                this::looked);
    }

    /** Who was master before may have changed the M_Keys, and kept them in a file that both have. */
    private String readKeysAgain() {
        return readAgain("M_Keys", keyStore, text -> {
            MKeyTable now = MKeyTable.parse(text);
            // A file of one's own has nothing new, and may know less than this one was told since.
            if (!keyTable.isUnsaved() && !now.text().equals(keyTable.text())) {
                keyTable = now;
                keys.recall(now);
            }
        });
    }

    /** Reads a table again; returns what is to be told if that is not possible. */
    private static String readAgain(String what, TextStore from, Consumer<String> reader) {
        String old = "; " + what + " are those read before: ";
        try {
            reader.accept(from.load());
            return "";
        } catch (FormatException e) {
            return old + e.at(from.name());
        } catch (RuntimeException e) {
            return old + e.getMessage();
        }
    }

    private void looked(SubnetSweep.Ended ended) {
        lastEnded = transport.loop().nanoTime();
        fabric = ended.fabric() == null ? fabric : ended.fabric();
        listener.swept(ended.report());
        state = State.WAITING;
        String next = pending;
        // All is read each time: the most part of the time is left to those who manage the subnet.
        long rest = Math.max(settings.sweepNanos(), REST * ended.report().nanos());
        wake(next == null ? rest : 0, () -> sweep(next == null ? "it is time to look" : next));
    }

    /**
     * Makes one sweep that writes what is planned and nothing else, unless another subnet manager is master. In the
     * loop, in place of {@link #start}; a {@link #stop} has to follow.
     */
    public void apply(PlannedSets plan) {
        readTables();
        transport.markSm(true);
        mastership.start();
        state = State.SWEEPING;
        Programmer programmer = new Programmer(requests, settings.requests(), transport.loop(), () -> {});
        begin("apply", new OnlyPlanned(programmer, plan), store, keyStore, mastership::elect, ended -> {
            state = State.STOPPED;
            mastership.stop();
            transport.markSm(false);
            listener.swept(ended.report());
        });
    }

    /** Ends it: nothing is sent any more. The subnet stays as it is. In the loop. */
    public void stop() {
        if (state != State.STOPPED) {
            state = State.STOPPED;
            cancelTimer();
            standStill.stop();
            mastership.stop();
            transport.markSm(false);
        }
        traps.stop();
        requests.close();
    }

    /**
     * Hands over to the best standby, if we are master and there is one, before a {@link #stop}. A sweep that runs is
     * not waited for and writes nothing any more: what it has written the other one finds out. In the loop.
     *
     * @param done is called, in the loop, when the other one is master, or there is none that takes over
     */
    public void leave(Runnable done) {
        isLeaving = true;
        isGivenUp = true;
        mastership.leave(done);
    }

    private void failed(ErrnoException why) {
        if (state != State.STOPPED) {
            state = State.STOPPED;
            cancelTimer();
            standStill.stop();
            mastership.stop();
        }
        traps.stop();
        listener.failed(why);
    }

    /** Routes these groups from now on, in place of those before. In the loop. */
    public void multicast(List<GroupMembers> newGroups) {
        groups = List.copyOf(newGroups);
        sweepForClients(GROUPS_CHANGED);
    }

    /** Gives ports these GUIDs beside their own, in place of those before. In the loop. */
    public void portGuids(List<PortGuids> newGuids) {
        portGuids = List.copyOf(newGuids);
        sweepForClients(GUIDS_CHANGED);
    }

    private void sweepForClients(String why) {
        if (state != State.STOPPED) {
            long since = transport.loop().nanoTime() - lastEnded;
            sweepForChange(why, lastEnded == 0 ? 0 : Math.max(0, CLIENT_INTERVAL - since));
        }
    }

    /** What clients ask for comes in crowds: it can wait a little. */
    private static boolean isForClients(String why) {
        return why.equals(GROUPS_CHANGED) || why.equals(GUIDS_CHANGED) || why.equals(NAMES_CHANGED);
    }

    /**
     * Works by these settings from the next sweep on, and begins it. Time-outs, retries and windows stay. Nodes get
     * another M_Key by Sets that carry the one before; which have it is told with each sweep until all do. In the loop.
     */
    public void configure(SmSettings other, String why) {
        if (!other.ports().key().equals(settings.ports().key())) {
            keys.change(other.ports().key().key());
            known.values().forEach(node -> node.held().askAgain());
        }
        if (other.ports().maxOpVls() != settings.ports().maxOpVls()) {
            known.values().forEach(ManagedNode::mayRestart);
        }
        settings = other.withRequests(settings.requests());
        if (!watching) {
            mastership.configure(settings.role());
        }
        sweepNow(why);
    }

    /** Begins a heavy sweep, or another one after that which runs. In the loop. */
    public void sweepNow(String why) {
        sweepSoon(why, 0);
    }

    /**
     * Returns the subnet after the last sweep that was routed; empty before the first one has ended. A sweep that found
     * no routes, or none that may be used, leaves it as it was.
     */
    public Optional<SubnetSnapshot> snapshot() {
        return Optional.ofNullable(snapshot);
    }

    /** Returns what it is among the subnet managers of the subnet. In the loop. */
    public SmRole role() {
        return mastership.role();
    }

    /** Returns whether another subnet manager is asked to take over, and has not answered. In the loop. */
    public boolean isHandingOver() {
        return mastership.isHandingOver();
    }

    /** Returns whether another subnet manager is at work, or should be: then it begins no sweeps. In the loop. */
    public boolean leavesSubnetToOthers() {
        return !watching && (role() == SmRole.STANDBY || role() == SmRole.NOT_ACTIVE);
    }

    /** Returns whether it only looks: see {@link #watch}. In the loop. */
    public boolean isWatching() {
        return watching;
    }

    /** Returns the other subnet managers that the last sweep found, as they last said of themselves. In the loop. */
    public List<OtherManager> others() {
        return mastership.others();
    }

    /** Returns what it says of itself, first, and the others last said of themselves. In the loop. */
    public List<SmInfo> managers() {
        return Stream.concat(Stream.of(mastership.info()), others().stream().map(OtherManager::info))
                .toList();
    }

    /** Returns what was sent and received so far. */
    public RequestCounters counters() {
        return requests.counters();
    }

    /** Returns how many light sweeps there were. */
    public long lightSweeps() {
        return lightSweeps;
    }

    /** Returns how many traps of noisy sources were ignored. */
    public long ignoredTraps() {
        return traps.ignored();
    }

    /** Returns how many traps came in, ignored ones too, by number, or {@code other} for unusual ones. In the loop. */
    public SortedMap<String, Long> traps() {
        return traps.counts();
    }

    /** Returns in a word what it does. In the loop. */
    public String activity() {
        return state.name().toLowerCase(Locale.ROOT);
    }

    /** Returns whether no sweep runs, and none will before the time for a light one is up. */
    public boolean isIdle() {
        return state == State.WAITING && pending == null && retryAt == NO_RETRY;
    }

    // Sweeps.

    private void sweep(String why) {
        state = State.SWEEPING;
        pending = null;
        retryAt = NO_RETRY;
        cancelTimer();
        if (watching) {
            look(why);
            return;
        }
        boolean mayTakeOver = sweeps > 0 && mastership.role() == SmRole.DISCOVERING;
        begin(
                why + (mayTakeOver ? readKeysAgain() : ""),
                // What is computed before anything is written takes its time: that is no standing still.
                new Programmer(requests, settings.requests(), transport.loop(), standStill::look),
                store,
                keyStore,
                this::elect,
                this::ended);
    }

    private void elect(FoundSubnet found, Consumer<Mastership.Verdict> done) {
        // Everything is read, and nothing computed yet.
        giveUpIfStoodStill();
        mastership.elect(found, verdict -> {
            giveUpIfStoodStill();
            hasJustTakenOver |= verdict.isTakenOver();
            done.accept(verdict);
        });
    }

    private void begin(
            String why,
            Executor executor,
            TextStore to,
            TextStore keysTo,
            BiConsumer<FoundSubnet, Consumer<Mastership.Verdict>> election,
            Consumer<SubnetSweep.Ended> done) {
        sweeps++;
        if (areTablesInDoubt) {
            areTablesInDoubt = false;
            known.values().forEach(node -> node.held().forget());
        }
        Reading reading = reading();
        hasAskedAll = reading != Reading.TOLD;
        isReadAgain = why.equals(READ_AGAIN);
        isGivenUp = isLeaving;
        SubnetSweep.Context context = new SubnetSweep.Context(
                requests,
                executor,
                settings,
                known,
                silent,
                lids,
                to,
                groups,
                portGuids,
                routings,
                routing,
                fabric,
                routing == null,
                reading,
                groups.equals(routedGroups),
                keys,
                keyTable,
                keysTo,
                election);
        routedGroups = groups;
        full = false;
        new SubnetSweep(context, transport.loop(), sweeps, why, ended -> {
                    if (state != State.STOPPED) {
                        if (ended.report().result() == Result.DONE && !executor.isDry()) {
                            keys.given(context.settings().ports().key().key());
                        }
                        done.accept(ended);
                    }
                })
                .start(transport.port().port());
    }

    /** Few switches are asked only if all were since: traps may get lost, and those that come may not end. */
    private Reading reading() {
        if (full) {
            return Reading.EVERYTHING;
        }
        return hasAskedAll && isAnyStale() ? Reading.TOLD : Reading.CHANGES;
    }

    private void ended(SubnetSweep.Ended ended) {
        Fabric found = ended.fabric();
        lastEnded = transport.loop().nanoTime();
        if (ended.report().result() == Result.STANDBY) {
            standBy(ended.report());
            return;
        }
        if (ended.hasReadAll()) {
            hasAskedAll = true;
            lastFull = lastEnded - ended.report().nanos();
        }
        onlyChangesSinceFull = !ended.hasReadAll();
        if (ended.routing() != routing) {
            routedBy = ended.settings();
        }
        routing = ended.routing();
        if (found != null) {
            fabric = found;
            snapshot = SnapshotMaker.of(ended, found, routedBy, sweeps, lastEnded);
            listener.published(snapshot);
        }
        listener.swept(ended.report());
        state = State.WAITING;
        boolean isCutOff = ended.report().result() == Result.NO_LINK;
        if (isCutOff) {
            // Whoever is master meanwhile may write anything.
            known.values().forEach(node -> node.held().forget());
        }
        boolean failed = ended.again() || isCutOff;
        full |= ended.report().result() != Result.DONE;
        isRefused =
                ended.report().result() == Result.UNROUTABLE || ended.report().result() == Result.SL_CHANGE;
        String next = pending;
        if (next != null) {
            sweepForChange(next, isForClients(next) ? CLIENT_INTERVAL : settings.collectNanos());
        } else if (isCutOff) {
            // Nobody is there who could be asked in the meantime.
            retryAt = lastEnded + retry;
            wake(retry, () -> sweep(INCOMPLETE));
        } else {
            retryAt = failed ? lastEnded + retry : NO_RETRY;
            lookLater();
        }
        retry = failed ? Math.min(2 * retry, LAST_RETRY) : FIRST_RETRY;
    }

    /** Looks at all switches when it is time to: what made a sweep incomplete must not hide changes elsewhere. */
    private void lookLater() {
        long left = retryAt == NO_RETRY
                ? Long.MAX_VALUE
                : Math.max(0, retryAt - transport.loop().nanoTime());
        long light = hasAskedAll ? lightInterval() : 0;
        if (left <= light) {
            wake(left, () -> sweep(INCOMPLETE));
        } else {
            wake(light, this::lightSweep);
        }
    }

    /** Whoever is master now may write anything: what is known of tables is void. */
    private void standBy(SweepReport report) {
        known.clear();
        silent.clear();
        routings.forget();
        routing = null;
        routedBy = null;
        fabric = null;
        snapshot = null;
        pending = null;
        retry = FIRST_RETRY;
        retryAt = NO_RETRY;
        full = true;
        hasJustTakenOver = false;
        hasStoodStill = false;
        isRefused = false;
        state = State.WAITING;
        listener.swept(report);
    }

    /** Asks every switch whether a port changed. */
    private void lightSweep() {
        if (onlyChangesSinceFull && transport.loop().nanoTime() - lastFull >= FULL_INTERVAL) {
            full = true;
            sweep("only changes were read for " + FULL_INTERVAL / 60_000_000_000L + " minutes");
            return;
        }
        state = State.LIGHT;
        hasAskedAll = true;
        lightSweeps++;
        new LightSweep(requests, settings, retryAt == NO_RETRY, isRefused, this::lightEnded)
                .start(known.values(), mastership);
    }

    private void lightEnded(LightSweep.Ended ended) {
        if (state != State.LIGHT) {
            return;
        }
        state = State.WAITING;
        full |= ended.isAnyInDoubt();
        String told = pending;
        String why = ended.why();
        if (told != null) {
            // What else is to be read is left to the next light sweep: others may write until then.
            sweep(told);
        } else if (hasJustTakenOver || hasStoodStill) {
            areTablesInDoubt |= hasStoodStill;
            hasJustTakenOver = false;
            hasStoodStill = false;
            full = true;
            sweep(why == null ? READ_OVER : why);
        } else if (why != null) {
            sweep(why);
        } else if (retryAt == NO_RETRY && !isReadAgain && isAnyStale()) {
            // Now there is time for it; otherwise the next failure waits for it.
            sweep(READ_AGAIN);
        } else {
            lookLater();
        }
        // Also if the sweep that begins asks few: a switch that always tells of changes must not make it endless. What
        // came in meanwhile may not be all that has changed since switches were asked.
        hasAskedAll |= told == null;
    }

    /** Somebody with a wrong key begins the lease of a key; it has to be shown several times before that ends. */
    private long lightInterval() {
        ManagementKey key = settings.ports().key();
        return key.isLeased()
                ? Math.min(settings.sweepNanos(), key.leaseSeconds() * SECOND / SHOWN_IN_A_LEASE)
                : settings.sweepNanos();
    }

    private boolean isAnyStale() {
        return known.values().stream().anyMatch(node -> node.isSwitch() && !node.isCurrent());
    }

    /** Sweeps as {@link #sweepSoon} does; another master may have written anything. */
    private void sweepInDoubt(String why) {
        // A sweep that runs goes on by what it has planned with: what is not known is empty to it, and it would make
        // that so.
        areTablesInDoubt = true;
        sweepSoon(why, 0);
    }

    /** Sweeps as {@link #sweepForChange} does, and reads everything: nothing that was known counts. */
    private void sweepSoon(String why, long delay) {
        full = true;
        sweepForChange(why, delay);
    }

    /** Sweeps after a while, in which more may be told, or after the sweep that runs. */
    private void sweepForChange(String why, long delay) {
        if (state == State.STOPPED || leavesSubnetToOthers()) {
            return;
        }
        if (state != State.WAITING) {
            pending = pending == null || isForClients(pending) ? why : pending;
            return;
        }
        long at = transport.loop().nanoTime() + delay;
        String before = soon ? pending : null;
        if (before == null) {
            sweepAt(at, why);
        } else if (isForClients(before) && !isForClients(why)) {
            // What happened to the subnet is told rather than what clients want, whichever came first.
            sweepAt(Math.min(at, soonAt), why);
        } else if (at < soonAt) {
            // Later ones do not put it off: a storm of traps would do so for ever.
            sweepAt(at, isForClients(why) && !isForClients(before) ? before : why);
        }
    }

    private void sweepAt(long at, String why) {
        pending = why;
        wake(Math.max(0, at - transport.loop().nanoTime()), () -> sweep(why));
        soon = true;
        soonAt = at;
    }

    private void wake(long delay, Runnable task) {
        cancelTimer();
        timer = transport.loop().schedule(delay, () -> {
            timer = null;
            if (state == State.WAITING) {
                task.run();
            }
        });
    }

    private void cancelTimer() {
        soon = false;
        if (timer != null) {
            timer.run();
            timer = null;
        }
    }

    // What comes in.

    private void unsolicited(Mad mad, MadAddress from) {
        if (!MgmtClass.isSmp(mad.mgmtClass())) {
            others.accept(mad, from);
        } else if (mad.is(MadMethod.TRAP, false) && mad.isAbout(Notice.TYPE)) {
            trap(mad, from);
        } else if (mad.isAbout(SmInfo.TYPE) && state != State.STOPPED && !watching) {
            mastership.received(mad, answer -> requests.answer(answer, from.forAnswer(mad.mgmtClass())));
        }
    }

    private final class Roles implements Mastership.Effects {
        @Override
        public void changed(SmRole role, String why) {
            listener.role(role, why);
        }

        @Override
        public void sweep(String why) {
            sweepInDoubt(why);
        }

        @Override
        public void handingOver() {
            listener.handingOver();
        }

        @Override
        public void markAgain() {
            // The transport may take it for marked still.
            transport.markSm(false);
            transport.markSm(true);
        }
    }

    private void trap(Mad mad, MadAddress from) {
        requests.answer(mad.trapRepress(), MadAddress.smp(from.lid()));
        Notice notice = mad.data(Notice.TYPE);
        int number = notice.getInt(Notice.TRAP_NUMBER);
        boolean generic = notice.isSet(Notice.IS_GENERIC);
        if (state == State.STOPPED || !traps.received(notice, from.lid())) {
            return;
        }
        long now = transport.loop().nanoTime();
        boolean isRepeated = repeats.isRepeated(from.lid(), number, mad.get(Mad.TRANSACTION_ID), now);
        if (isRepeated && isRefused && now - lastEnded < LAST_RETRY) {
            // The sweep that followed the first of them changed no tables, and may be what keeps our answer away. Now
            // and then it is looked all the same: there may be no light sweeps, and other traps may not get through.
            return;
        }
        String why = "trap " + number + " from LID " + from.lid();
        if (generic && number == Notice.LINK_STATE) {
            doubt(from.lid());
            sweepForChange(why, settings.collectNanos());
        } else if (generic && number == Notice.LOCAL_CHANGES && onlyDescription(notice)) {
            rename(from.lid());
            if (retryAt == NO_RETRY) {
                sweepForClients(NAMES_CHANGED);
            }
        } else if (generic && number == Notice.LOCAL_CHANGES) {
            sweepSoon(why, settings.collectNanos());
        }
    }

    /** A host gets its name when it starts, after its port has come up. */
    private void rename(int lid) {
        for (ManagedNode node : known.values()) {
            for (int port = 0; port <= node.lastPort(); port++) {
                PortInfo said = node.isEndPort(port) ? node.port(port) : null;
                if (LidNames.has(said, lid)) {
                    node.rename();
                }
            }
        }
    }

    /** A switch tells of a change: its ports are read, whatever its SwitchInfo says by then. */
    private void doubt(int lid) {
        for (ManagedNode node : known.values()) {
            PortInfo own = node.isSwitch() ? node.port(0) : null;
            if (own != null && own.getInt(PortInfo.LID) == lid) {
                node.current(false);
            }
        }
    }

    private static boolean onlyDescription(Notice notice) {
        TrapDetails details = notice.details();
        return details.isSet(TrapDetails.OTHER_CHANGES) && details.getInt(TrapDetails.CHANGE_FLAGS) == DESCRIPTION_ONLY;
    }
}
