package org.railyard.sm;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.format.Guid2Lid.Range;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.model.LinkState;
import org.railyard.fabric.proof.Dependencies;
import org.railyard.fabric.proven.CreditLoops;
import org.railyard.fabric.proven.Proven;
import org.railyard.fabric.proven.Refused;
import org.railyard.fabric.proven.RepeatedRouting;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.NoTurningBack;
import org.railyard.fabric.route.Routing;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.PortState;
import org.railyard.mad.smp.SwitchInfo;
import org.railyard.mad.transport.MadLoop;
import org.railyard.mad.transport.MadRequests;
import org.railyard.mad.transport.RequestSettings;
import org.railyard.sm.SweepReport.Result;
import org.railyard.sm.discover.DiscoveryProblem;
import org.railyard.sm.discover.FabricDiscovery;
import org.railyard.sm.discover.FabricDiscovery.Reading;
import org.railyard.sm.discover.FabricMaker;
import org.railyard.sm.discover.FoundSubnet;
import org.railyard.sm.lid.LidAssigner;
import org.railyard.sm.lid.LidTable;
import org.railyard.sm.model.GroupMembers;
import org.railyard.sm.model.PortGuids;
import org.railyard.sm.program.Desired;
import org.railyard.sm.program.EndPorts;
import org.railyard.sm.program.Executor;
import org.railyard.sm.program.GuidUpdates;
import org.railyard.sm.program.LinkRestarts;
import org.railyard.sm.program.Phase;
import org.railyard.sm.program.PhasePlan;
import org.railyard.sm.role.Mastership.Verdict;
import org.railyard.sm.subnet.ManagedNode;

/**
 * One heavy sweep (spec 41 §2.1): discover, give LIDs, route and prove, program, bring links up. Links that do not come
 * up are left out, and the rest is routed again. For the loop of the transport.
 */
final class SubnetSweep {
    /** Discoveries in a row before what does not answer is given up. */
    private static final int DISCOVERIES = 2;

    /** How often a question is repeated if only changes are asked for: what is lost then is asked for in earnest. */
    private static final int RETRIES_OF_CHANGES = 3;

    /** How often the subnet is routed again because links did not come up. */
    private static final int ROUTINGS = 3;

    /** How long it is looked whether links are up again that were taken down, ns. */
    private static final long LINKS_NANOS = 10_000_000_000L;

    /** Time before each look, ns: links take up to some seconds. */
    private static final long LOOK_NANOS = 500_000_000L;

    private final Context context;
    private final MadLoop clock;
    private final long number;
    private final String reason;
    private final Consumer<Ended> done;
    private final long began;
    private final long sentBefore;
    private final List<String> notes = new ArrayList<>();
    private final List<Executor.Figures> figures = new ArrayList<>();
    private final SweptKeys keys;
    private boolean incomplete;
    private int discoveries;
    private int routings;
    private int localPort;
    /** Cables that carried data, and others, before anything was done. */
    private int @Nullable [] cablesFound;

    /** Links that have to come up with other parameters; null before they were looked for. */
    private @Nullable LinkRestarts restarts;

    /** Whether they are noted as if they had come up with these, to see whether there are routes then. */
    private boolean isSupposed;

    private boolean isCutOffNoted;

    /** Until when it is looked whether they are up again, ns of the loop's clock; 0 if it is not. */
    private long lookUntil;

    /** Whether the subnet was another subnet manager's until now. */
    private boolean isTakenOver;

    /** What sweeps work with, and what stays from one to the next. */
    record Context(
            MadRequests requests,
            Executor executor,
            SmSettings settings,
            Map<Long, ManagedNode> known,
            Set<String> silent,
            LidTable lids,
            TextStore store,
            List<GroupMembers> groups,
            List<PortGuids> portGuids,
            RepeatedRouting routings,
            @Nullable Routing before,
            @Nullable Fabric fabricBefore,
            boolean firstSweep,
            Reading reading,
            boolean sameGroups,
            KeyRing mKeys,
            MKeyTable keyTable,
            TextStore keyStore,
            BiConsumer<FoundSubnet, Consumer<Verdict>> election) {}

    /**
     * What it ended with.
     *
     * @param report what is told
     * @param nodes nodes by the index in the fabric; empty without link
     * @param fabric with LIDs and states as they are now; null if nothing new is to be published
     * @param smPort port index of the own end port
     * @param routing the tables that switches shall have; after an incomplete sweep some may have older entries. Null
     *     if there never were any
     * @param settings by which it routed, if it did
     * @param again whether another sweep may do better
     * @param hasReadAll whether everything was read, if only after changes were asked for
     */
    record Ended(
            SweepReport report,
            List<ManagedNode> nodes,
            @Nullable Fabric fabric,
            int smPort,
            @Nullable Routing routing,
            RoutingSettings settings,
            boolean again,
            boolean hasReadAll) {}

    SubnetSweep(Context context, MadLoop clock, long number, String reason, Consumer<Ended> done) {
        this.clock = clock;
        this.context = context;
        this.keys = new SweptKeys(context, notes::add);
        this.number = number;
        this.reason = reason;
        this.done = done;
        this.began = clock.nanoTime();
        this.sentBefore = context.requests().counters().sent();
    }

    void start(int ownPort) {
        localPort = ownPort;
        if (isOfChanges()) {
            RequestSettings usual = context.settings().requests();
            RequestSettings brief =
                    usual.withTimeout(usual.timeoutNanos(), Math.min(usual.retries(), RETRIES_OF_CHANGES));
            discover(brief, context.reading(), this::changesDiscovered);
        } else {
            discoverAll();
        }
    }

    private void discoverAll() {
        discoveries++;
        discover(patience(), Reading.EVERYTHING, this::discovered);
    }

    private void discover(RequestSettings limits, Reading reading, Consumer<FoundSubnet> then) {
        FabricDiscovery.start(context.requests(), limits, context.known(), localPort, reading, clock.nanoTime(), then);
    }

    private boolean isOfChanges() {
        return context.reading() != Reading.EVERYTHING;
    }

    /** What was not answered is asked more often the second time: it may be lost, not dead. */
    private RequestSettings patience() {
        RequestSettings usual = context.settings().requests();
        int retries = Math.min(RequestSettings.MAX_RETRIES, discoveries * (usual.retries() + 1) - 1);
        return usual.withTimeout(usual.timeoutNanos(), retries);
    }

    /** What is not as it was expected is looked at as if nothing were known. */
    private void changesDiscovered(FoundSubnet found) {
        if (!context.requests().isClosed() && !found.problems().isEmpty()) {
            discoverAll();
            return;
        }
        notes.add("%d of %d switches tell of changes; only these were read anew"
                .formatted(found.read(), found.fabric().switchCount()));
        discovered(found);
    }

    private void discovered(FoundSubnet found) {
        if (context.requests().isClosed()) {
            // Whoever ended the requests wants no other routing and no other phase, and does not ask for a report.
            return;
        }
        if (restarts != null && !restarts.areUp(found.fabric()) && lookUntil != 0) {
            if (clock.nanoTime() < lookUntil) {
                lookForLinks();
                return;
            }
            lookUntil = 0;
            incomplete = true;
            notes.add("taken down, and not up again: " + restarts.missing(found.fabric()));
        }
        // Who only looks has read all anew.
        boolean mayBeCutOff = !context.executor().isDry() && restarts == null && !isCutOffNoted;
        if (mayBeCutOff && found.wasCutOff() && hadOwnLink(found)) {
            // Another one may have been master meanwhile, and have died in the middle: it may have written anything.
            isCutOffNoted = true;
            notes.add("the own link was down: tables are read again");
            context.known().values().forEach(node -> node.held().forget());
            discoverAll();
            return;
        }
        List<String> unanswered = found.unanswered();
        boolean asBefore = context.silent().containsAll(unanswered);
        if (!asBefore && discoveries < DISCOVERIES) {
            discoverAll();
            return;
        }
        context.silent().clear();
        context.silent().addAll(unanswered);
        found.problems().stream().map(DiscoveryProblem::text).forEach(notes::add);
        incomplete |= !unanswered.isEmpty();
        int smPort = found.smPort();
        if (smPort == Fabric.NONE) {
            notes.add("the own port does not answer, or is not what it should be");
            end(Result.NO_LINK, found, null, context.before());
            return;
        }
        boolean alone = !found.fabric().isSwitch(found.fabric().nodeOf(smPort))
                && found.fabric().peer(smPort) == Fabric.NONE;
        if (alone) {
            notes.add(found.fabric().portName(smPort) + ", the own port, "
                    + (found.ownState().compareTo(PortState.INIT) >= 0
                            ? "has a link, and what is behind it does not answer, or not completely"
                            : "has no link: look at its cable"));
            end(Result.NO_LINK, found, null, context.before());
            return;
        }
        // Without a link of our own nothing was learned of the others: what is known of them stays.
        Map<Long, ManagedNode> known = context.known();
        known.clear();
        found.nodes().forEach(node -> known.put(node.guid(), node));
        context.election().accept(found, verdict -> elected(found, verdict));
    }

    /** Whether there are routes through the own link: one that was never brought up has not been down since. */
    private boolean hadOwnLink(FoundSubnet found) {
        Fabric before = context.fabricBefore();
        if (context.before() == null || before == null) {
            return false;
        }
        Fabric now = found.fabric();
        int node = before.nodeOfGuid(now.guid(now.nodeOf(found.smPort())));
        int number = now.portNumber(found.smPort());
        return node != Fabric.NONE
                && number <= before.ports(node)
                && before.peer(before.portIndex(node, number)) != Fabric.NONE;
    }

    private void elected(FoundSubnet found, Verdict verdict) {
        if (context.requests().isClosed()) {
            return;
        }
        if (cablesFound == null) {
            cablesFound = cables(found);
        }
        verdict.notes().stream().filter(note -> !notes.contains(note)).forEach(notes::add);
        incomplete |= verdict.isDoubtful();
        isTakenOver |= verdict.isTakenOver();
        Fabric last = context.fabricBefore();
        if (last != null && restarts == null) {
            notes.addAll(FabricChanges.between(last, found.fabric()));
        }
        if (!verdict.isMaster()) {
            end(Result.STANDBY, found, null, null);
            return;
        }
        boolean isFirst = restarts == null;
        if (restarts == null) {
            restarts = restarts(found);
        }
        isSupposed = isFirst && !restarts.isEmpty();
        boolean mayBeAsBefore = !isSupposed && isOfChanges() && discoveries == 0 && context.sameGroups();
        if (last != null && mayBeAsBefore && isAsBefore(found, last)) {
            notes.add("cables and links are as they were");
            settled(found, last);
            return;
        }
        try {
            number(isSupposed ? found.again() : found);
        } catch (FabricException e) {
            notes.add(String.valueOf(e.getMessage()));
            end(Result.UNROUTABLE, found, null, context.before());
        }
    }

    /** Returns the links that have to come up with other parameters, noted as if they were down and in INIT again. */
    private LinkRestarts restarts(FoundSubnet found) {
        LinkRestarts links = LinkRestarts.of(
                found.fabric(), found.nodes(), context.settings().ports());
        if (links.isEmpty()) {
            return links;
        }
        if (!context.settings().restartLinks()) {
            notes.add(links.text() + ": they keep them until they go down; --restart-links takes them down");
            return LinkRestarts.NONE;
        }
        notes.add(links.text() + ": if there are proved routes for these, they are taken down and brought up again");
        links.suppose();
        return links;
    }

    /** Takes links down, and goes on when they are up again, or after some time without them. */
    private void restart(FoundSubnet found, LinkRestarts links, Runnable dry) {
        isSupposed = false;
        context.executor().run(links.phases(), ended -> {
            take(ended);
            if (ended.stopped()) {
                end(Result.INCOMPLETE, found, null, context.before());
            } else if (context.executor().isDry()) {
                dry.run();
            } else {
                lookUntil = clock.nanoTime() + LINKS_NANOS;
                lookForLinks();
            }
        });
    }

    /** Each look is as patient as the first one of a sweep. */
    private void lookForLinks() {
        discoveries = 0;
        routings = 0;
        clock.schedule(LOOK_NANOS, this::discoverAll);
    }

    /** Whether the subnet that was routed last is this one, and all of its links carry data. */
    private boolean isAsBefore(FoundSubnet found, Fabric before) {
        Fabric now = found.fabric();
        if (context.before() == null || before.nodeCount() != now.nodeCount()) {
            return false;
        }
        for (int node = 0; node < now.nodeCount(); node++) {
            if (now.guid(node) != before.guid(node) || now.ports(node) != before.ports(node)) {
                return false;
            }
        }
        for (int port = 0; port < now.portCount(); port++) {
            PortInfo said = node(found, port).port(now.portNumber(port));
            boolean hasLid = !now.isEndPort(port) || said == null || said.getInt(PortInfo.LID) == before.lid(port);
            boolean carries = now.peer(port) == Fabric.NONE || isActive(found, now, port);
            int limit = context.settings().ports().maxOpVls();
            boolean hasVls = now.peer(port) == Fabric.NONE
                    || Math.min(limit, now.operVls(port)) == Math.min(limit, before.operVls(port));
            if (now.peer(port) != before.peer(port) || !carries || !hasLid || !hasVls) {
                return false;
            }
        }
        return true;
    }

    private void settled(FoundSubnet found, Fabric before) {
        GuidUpdates guids = new GuidUpdates(found, before, context.portGuids());
        context.executor().run(List.of(PhasePlan.stateChanges(found.nodes()), guids.phase()), ended -> {
            take(ended);
            notes.addAll(guids.notes());
            end(incomplete ? Result.INCOMPLETE : Result.DONE, found, renamed(found, before), context.before());
        });
    }

    /** Returns the fabric that was routed, with the names that nodes have now; null if these are as they were. */
    private @Nullable Fabric renamed(FoundSubnet found, Fabric before) {
        Fabric now = found.fabric();
        if (IntStream.range(0, now.nodeCount())
                .allMatch(node -> now.rawDescription(node).equals(before.rawDescription(node)))) {
            return null;
        }
        notes.add("nodes have other descriptions");
        int[] lids = IntStream.range(0, now.portCount()).map(before::lid).toArray();
        int[] lmcs = IntStream.range(0, now.portCount()).map(before::lmc).toArray();
        return now.withLids(lids, lmcs);
    }

    private void number(FoundSubnet found) {
        SmSettings settings = context.settings();
        int[] now = new int[found.fabric().portCount()];
        for (int port = 0; port < now.length; port++) {
            PortInfo said = node(found, port).port(found.fabric().portNumber(port));
            boolean keep = settings.keepLids() || !context.firstSweep() || isTakenOver;
            now[port] = said != null && found.fabric().isEndPort(port) && keep ? said.getInt(PortInfo.LID) : 0;
        }
        Map<Long, Range> before = context.lids().entries();
        if (isTakenOver) {
            context.lids().follow(found.fabric(), now, settings.lmc());
        }
        Fabric usable = withoutSmallSwitches(found, now);
        LidAssigner.Assignment given = LidAssigner.assign(
                usable,
                now,
                context.lids(),
                new LidAssigner.Rules(settings.lidOrder(), settings.lmc(), maxLid(found, usable)),
                found.smPort(),
                context.fabricBefore());
        notes.addAll(given.findings());
        OtherPrefixes.notes(found, settings.ports().gidPrefix()).stream()
                .filter(note -> !notes.contains(note))
                .forEach(notes::add);
        if (!context.lids().isAsAt(before) || context.lids().isUnsaved()) {
            save(context.lids().text());
        }
        incomplete |= !keys.keep(found);
        route(found, given.fabric());
    }

    /** Without its file the subnet goes on, but the next start may give other LIDs. */
    private void save(String table) {
        try {
            context.store().save(table);
            context.lids().unsaved(false);
        } catch (RuntimeException e) {
            context.lids().unsaved(true);
            notes.add("the table of LIDs is not kept: " + e.getMessage());
            incomplete = true;
        }
    }

    static ManagedNode node(FoundSubnet found, int port) {
        return found.nodes().get(found.fabric().nodeOf(port));
    }

    /** Returns the largest LID that all switches in a cable can look up. */
    private static int maxLid(FoundSubnet found, Fabric usable) {
        int max = Lids.MAX_UNICAST;
        for (int sw = 0; sw < usable.switchCount(); sw++) {
            if (usable.isConnected(sw)) {
                max = Math.min(max, lastLookedUp(found, sw));
            }
        }
        return max;
    }

    private static int lastLookedUp(FoundSubnet found, int sw) {
        SwitchInfo said = found.nodes().get(sw).switchInfo();
        return said == null ? Lids.MAX_UNICAST : said.getInt(SwitchInfo.LINEAR_CAP) - 1;
    }

    /**
     * Leaves out, with its cables, each switch that can not look up the LIDs that ports have or have to get: one switch
     * must not take LIDs from others. If that would cut the own port off, all stay, and LIDs are given within what the
     * least switch can look up.
     */
    private Fabric withoutSmallSwitches(FoundSubnet found, int[] now) {
        Fabric fabric = found.fabric();
        int needed = context.lids().lastOf(fabric);
        int count = 0;
        for (int port = 0; port < now.length; port++) {
            // Later the table has all; a port that then claims another LID gets its own.
            needed = context.firstSweep() ? Math.max(needed, now[port]) : needed;
            count += fabric.isEndPort(port) && fabric.isConnected(fabric.nodeOf(port)) ? 1 : 0;
        }
        // A switch has one LID, but the ranges of hosts are aligned, and may leave the others beside it free: with
        // fewer LIDs than this some host may get none, and then no port has new ones.
        needed = Math.max(needed, count << context.settings().lmc());
        BitSet left = new BitSet();
        List<String> texts = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (fabric.isConnected(sw) && lastLookedUp(found, sw) < needed) {
                left.set(fabric.portIndex(sw, 1), fabric.portIndex(sw, fabric.ports(sw)) + 1);
                texts.add(
                        "%s: looks up LIDs to %d (LinearFDBCap), but LIDs to %d are in use: it is left out with its cables"
                                .formatted(found.nodes().get(sw).name(), lastLookedUp(found, sw), needed));
            }
        }
        Fabric usable = left.isEmpty() ? fabric : fabric.withLinksDown(left);
        if (!usable.isConnected(usable.nodeOf(found.smPort()))) {
            return fabric;
        }
        notes.addAll(texts);
        return usable;
    }

    private void route(FoundSubnet found, Fabric fabric) {
        routings++;
        switch (context.routings().run(context.settings().routing(), fabric, groups(fabric))) {
            case Refused(Fabric _, var refusal) -> {
                refusal.reasons().forEach(each -> notes.add(each.code() + ": " + each.text()));
                leave(found, fabric, Result.UNROUTABLE);
            }
            case CreditLoops(var tables, var report) -> {
                notes.add("%s: the tables close %d credit loops, so they are not used"
                        .formatted(tables.routing().engine(), report.components()));
                leave(found, fabric, Result.UNROUTABLE);
            }
            case Proven proven -> {
                notes.addAll(proven.findings());
                program(found, fabric, proven);
            }
        }
    }

    private List<MulticastGroup> groups(Fabric fabric) {
        // Once for all members: they may be hundreds of thousands, as may ports.
        Map<Long, Integer> ports = context.groups().isEmpty() ? Map.of() : EndPorts.byGuid(fabric);
        return context.groups().stream()
                .map(group -> new MulticastGroup(
                        group.mlid(),
                        group.sl(),
                        group.portGuids().stream()
                                .map(guid -> ports.getOrDefault(guid, Fabric.NONE))
                                .filter(port -> port != Fabric.NONE)
                                .toList()))
                .toList();
    }

    /** Tells of each port that was not there when the subnet was last routed: it may have missed anything. */
    private IntPredicate isNew(Fabric fabric) {
        Fabric before = context.fabricBefore();
        if (context.firstSweep() || before == null) {
            // Asked once: a second routing is for links that did not come up.
            return _ -> routings == 1;
        }
        Set<Long> there = new TreeSet<>();
        for (int port = 0; port < before.portCount(); port++) {
            if (before.isEndPort(port) && before.lid(port) != 0) {
                there.add(before.portGuid(port));
            }
        }
        return port -> routings == 1 && !there.contains(fabric.portGuid(port));
    }

    /** Told once: a second routing is for links that did not come up. */
    private void tellKeyTroubles(FoundSubnet found, Desired desired) {
        if (routings == 1) {
            List<String> excess = SpaceForKeys.excess(desired);
            incomplete |= !excess.isEmpty();
            notes.addAll(excess);
            notes.addAll(SpaceForKeys.unenforced(desired));
            keys.tellForeign(found, desired.fabric());
            if (context.executor().isDry()) {
                // Later it would count keys that are noted as given, and which nobody has got.
                keys.tellChange(found, desired.fabric());
            }
        }
    }

    private Desired desired(FoundSubnet found, Fabric fabric, Routing routing, Dependencies dependencies) {
        return new Desired(
                fabric,
                found.nodes(),
                found.smPort(),
                routing,
                dependencies,
                context.before(),
                context.settings().keys(),
                context.settings().ports(),
                isNew(fabric));
    }

    /** Nothing is written but what has nothing to do with routes: the next sweep may do better. */
    private void leave(FoundSubnet found, Fabric fabric, Result result) {
        GuidUpdates guids = new GuidUpdates(found, fabric, context.portGuids());
        context.executor().run(List.of(PhasePlan.stateChanges(found.nodes()), guids.phase()), ended -> {
            take(ended);
            notes.addAll(guids.notes());
            // Old tables mean nothing in a new fabric: what was published last, both of one sweep, goes on to count.
            end(result, found, context.before() == null ? fabric : null, context.before());
        });
    }

    private void take(Executor.Result ended) {
        figures.addAll(ended.figures());
        notes.addAll(ended.problems());
        incomplete |= !ended.complete();
    }

    private void program(FoundSubnet found, Fabric fabric, Proven proven) {
        Routing routed = proven.tables().routing();
        // What was proved has no packets that turn back, so their tables do not matter to the proof.
        Routing routing = context.settings().keepTurnsBack() ? routed : NoTurningBack.in(fabric, routed);
        Routing before = context.before();
        Fabric fabricBefore = context.fabricBefore();
        if (before != null && fabricBefore != null) {
            SlChanges changes = SlChanges.between(fabricBefore, before.sls(), fabric, routing.sls());
            boolean isAllowed = context.settings().allowSlChange();
            boolean mayBe = changes.count() > 0
                    && !isAllowed
                    && isCertain(found)
                    && SlChanges.betweenStaying(fabricBefore, before.sls(), fabric, routing.sls())
                                    .count()
                            == 0;
            if (mayBe
                    && !new PhasePlan(desired(
                                    found, fabric, routing, proven.report().graph()))
                            .needsNewSls()) {
                notes.add(changes.movedText());
            } else if (changes.count() > 0 && isAllowed) {
                notes.add(changes.allowedText());
            } else if (changes.count() > 0) {
                notes.add(changes.text());
                leave(found, fabric, Result.SL_CHANGE);
                return;
            }
        }
        LinkRestarts links = restarts;
        if (isSupposed && links != null) {
            restart(found, links, () -> write(found, fabric, routing, proven));
        } else {
            write(found, fabric, routing, proven);
        }
    }

    private void write(FoundSubnet found, Fabric fabric, Routing routing, Proven proven) {
        Routing before = context.before();
        Desired desired = desired(found, fabric, routing, proven.report().graph());
        tellKeyTroubles(found, desired);
        PhasePlan plan = new PhasePlan(desired);
        notes.addAll(plan.notes());
        context.executor().run(plan.prepare(), prepared -> {
            take(prepared);
            notes.addAll(IgnoredFields.of(found.nodes()));
            if (prepared.stopped()) {
                // What follows is safe only after a phase that failed; what was published last goes on to count.
                end(Result.INCOMPLETE, found, null, before);
                return;
            }
            BitSet dead = notActive(found, fabric);
            if (!dead.isEmpty() && routings < ROUTINGS) {
                notes.addAll(LinksLeftOut.notes(found, fabric, dead));
                incomplete = true;
                route(found, fabric.withLinksDown(dead));
                return;
            }
            GuidUpdates guids = new GuidUpdates(found, fabric, context.portGuids());
            List<Phase> forward = new ArrayList<>(plan.forward());
            forward.add(guids.phase());
            context.executor().run(forward, forwarded -> {
                take(forwarded);
                notes.addAll(guids.notes());
                if (!context.executor().isDry()) {
                    keys.tellChange(found, fabric);
                }
                incomplete |= !keys.keep(found);
                noteHosts(found, fabric, routing);
                end(incomplete ? Result.INCOMPLETE : Result.DONE, found, fabric, routing);
            });
        });
    }

    /** For later sweeps, in which one of them may be there and not be asked. */
    private static void noteHosts(FoundSubnet found, Fabric fabric, Routing routing) {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int port = 1; port <= fabric.ports(sw); port++) {
                int peer = fabric.peer(fabric.portIndex(sw, port));
                if (peer != Fabric.NONE) {
                    boolean isHost = !fabric.isSwitch(fabric.nodeOf(peer)) && fabric.lid(peer) != 0;
                    found.nodes()
                            .get(sw)
                            .lastHost(port, isHost ? new ManagedNode.Host(fabric.lid(peer), routing.sls()) : null);
                }
            }
        }
    }

    /** Whether nothing that was found speaks of two nodes with one GUID. */
    private static boolean isCertain(FoundSubnet found) {
        return found.problems().stream().noneMatch(DiscoveryProblem::leavesDoubt);
    }

    /** Returns one end of each cable that is used and does not carry data. */
    private static BitSet notActive(FoundSubnet found, Fabric fabric) {
        BitSet dead = new BitSet();
        for (int port = 0; port < fabric.portCount(); port++) {
            int peer = fabric.peer(port);
            if (peer > port && !isActive(found, fabric, port)) {
                dead.set(port);
            }
        }
        return dead;
    }

    private static boolean isActive(FoundSubnet found, Fabric fabric, int port) {
        int peer = fabric.cable(port);
        return peer != Fabric.NONE
                && FabricMaker.state(node(found, port).state(fabric.portNumber(port))) == LinkState.ACTIVE
                && FabricMaker.state(node(found, peer).state(fabric.portNumber(peer))) == LinkState.ACTIVE;
    }

    /** Returns how many cables carry data, and how many do not. */
    private static int[] cables(FoundSubnet found) {
        int[] cables = new int[2];
        Fabric of = found.fabric();
        for (int port = 0; port < of.portCount(); port++) {
            if (of.cable(port) > port) {
                cables[isActive(found, of, port) ? 0 : 1]++;
            }
        }
        return cables;
    }

    private void end(Result result, FoundSubnet found, @Nullable Fabric fabric, @Nullable Routing routing) {
        // What a dry run has noted has not been done.
        int[] dry = context.executor().isDry() || isSupposed ? cablesFound : null;
        int[] cables = dry == null ? cables(found) : dry;
        Fabric of = found.fabric();
        SweepReport report = new SweepReport(
                number,
                reason,
                result,
                clock.nanoTime() - began,
                context.requests().counters().sent() - sentBefore,
                of.switchCount(),
                of.nodeCount() - of.switchCount(),
                cables[0],
                cables[1],
                figures,
                notes);
        done.accept(new Ended(
                report,
                found.nodes(),
                fabric,
                found.smPort(),
                routing,
                context.settings().routing(),
                incomplete,
                discoveries > 0));
    }
}
