package org.railyard.cli.sm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.cli.fabric.FabricInputException;
import org.railyard.cli.fabric.SwitchRoute;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusPlan;
import org.railyard.mad.transport.RequestCounters;
import org.railyard.node.control.Extension;
import org.railyard.sm.SubnetManager;
import org.railyard.sm.SweepReport;
import org.railyard.sm.master.Master;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.sa.SaCounters;

/** What a running subnet manager is asked over its control socket. Thread-safe. */
final class SmControl implements Extension {
    /** Longest wait for events, ms. */
    static final long MAX_WAIT = 30_000;

    /** Key of the Sets that one who only watches would write. */
    static final String WOULD_WRITE = "would_write";

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long DEFAULT_COUNT = 20;
    private static final double MILLI = 1e6;
    private static final String BY_SIGNAL = "SIGHUP";

    private final Master master;
    private final LoopCalls loop;
    private final SweepLog log;
    private final Reload reload;
    private final Runnable stop;
    private final Optional<Cables> cables;
    /** One reload at a time: options are read into places that all of them share. */
    private final Lock reloading = new ReentrantLock();

    private volatile SmConfiguration configuration;

    /** Reads the configuration again. */
    @FunctionalInterface
    interface Reload {
        /**
         * Returns the new one.
         *
         * @throws FabricInputException if a file can not be used
         */
        SmConfiguration read();
    }

    /** Cables of a simulated subnet. */
    @FunctionalInterface
    interface Cables {
        /**
         * Pulls a cable, or puts it back. In the loop.
         *
         * @param port such as {@code S-0.1.1/5}
         * @throws FabricInputException if no cable is in such a port
         * @throws ErrnoException EINVAL if its link is up, or down, already
         */
        void set(String port, boolean up);
    }

    /**
     * Makes it.
     *
     * @param cables of a simulated subnet; empty for a real one
     * @param loop runs tasks in the loop of the subnet manager
     * @param configuration what the subnet manager works by
     * @param stop ends the program
     */
    SmControl(
            Master master,
            Executor loop,
            SweepLog log,
            SmConfiguration configuration,
            Reload reload,
            Runnable stop,
            Optional<Cables> cables) {
        this.cables = cables;
        this.master = master;
        this.loop = new LoopCalls(loop, PATIENCE);
        this.log = log;
        this.configuration = configuration;
        this.reload = reload;
        this.stop = stop;
    }

    @Override
    public Map<String, Object> execute(String name, Map<String, Object> fields) {
        try {
            return switch (name) {
                case "status" -> loop.run(this::status);
                case "history" -> history((int) number(fields, "count", DEFAULT_COUNT, SweepLog.MAX_SWEEPS));
                case "why" -> why(text(fields, "switch"), text(fields, "lid"));
                case "events" ->
                    events(number(fields, "after", 0, Long.MAX_VALUE), number(fields, "wait", 0, MAX_WAIT));
                case "sweep" -> loop.run(this::sweep);
                case "reload" -> reload("sm reload");
                case "stop" -> end();
                case "unlink" -> cable(text(fields, "port"), false);
                case "relink" -> cable(text(fields, "port"), true);
                default ->
                    throw new ErrnoException(
                            Errno.ENOENT,
                            name + ": expected status, history, why, events, sweep, reload, stop, unlink or relink");
            };
        } catch (FabricInputException e) {
            throw new ErrnoException(Errno.EINVAL, String.valueOf(e.getMessage()), e);
        }
    }

    private static long number(Map<String, Object> fields, String name, long standard, long most) {
        Object value = fields.getOrDefault(name, standard);
        long number;
        try {
            number = Long.parseLong(String.valueOf(value));
        } catch (NumberFormatException e) {
            number = -1;
        }
        if (number < 0 || number > most) {
            throw new ErrnoException(Errno.EINVAL, "%s %s: expected 0 to %d".formatted(name, value, most));
        }
        return number;
    }

    private static String text(Map<String, Object> fields, String name) {
        Object value = fields.get(name);
        if (value == null) {
            throw new ErrnoException(Errno.EINVAL, name + " is missing");
        }
        return String.valueOf(value);
    }

    private Map<String, Object> status() {
        RequestCounters mads = master.manager().counters();
        Doc doc = new Doc()
                .put(
                        "state",
                        master.manager().isWatching()
                                ? "watching, writes nothing"
                                : master.manager().role().text())
                .put(
                        "others",
                        master.manager().others().stream()
                                .map(other -> (Object) new Doc()
                                        .put("name", other.name())
                                        .put("guid", "0x%016x".formatted(other.guid()))
                                        .put("priority", other.priority())
                                        .put("state", other.role().text())
                                        .map())
                                .toList())
                .put("now", master.manager().activity())
                .put("engine", configuration.sm().routing().engine().name())
                .put("priority", configuration.sm().role().priority())
                .put("light_sweeps", master.manager().lightSweeps())
                .put("ignored_traps", master.manager().ignoredTraps());
        master.manager().snapshot().ifPresent(snapshot -> doc.put("port", port(snapshot)));
        log.last()
                .ifPresent(last -> doc.put("last_sweep", sweep(last))
                        .put("notes", last.report().notes()));
        doc.put(
                "mads",
                new Doc()
                        .put("sent", mads.sent())
                        .put("sent_again", mads.resent())
                        .put("answered", mads.answered())
                        .put("without_answer", mads.unanswered())
                        .put("received", mads.unsolicited()));
        doc.put("sa", administration(master.administration().counters()));
        return new Doc().put("sm", doc).map();
    }

    private Doc administration(SaCounters sa) {
        return new Doc()
                .put(
                        "answers",
                        sa.answersByStatus().values().stream()
                                .mapToLong(Long::longValue)
                                .sum())
                .put("answers_not_sent", master.answersNotSent())
                .put("unknown_requesters", sa.unknownRequesters())
                .put("wrong_keys", sa.wrongKeys())
                .put("groups", sa.groups())
                .put("members", sa.memberships())
                .put("services", sa.services())
                .put("subscriptions", sa.subscriptions())
                .put("alias_guids", sa.aliases())
                .put("reports", sa.reports())
                .put("reports_unanswered", sa.reportsUnanswered())
                .put("reports_dropped", sa.reportsDropped());
    }

    /** Returns the figures as they are now. */
    SmMetrics metrics() {
        return loop.run(() -> new SmMetrics(
                master.manager().role(),
                master.manager().isWatching(),
                configuration.sm().role().priority(),
                master.manager().snapshot().flatMap(SubnetSnapshot::routing).isPresent(),
                log.last().map(SweepLog.Sweep::report),
                log.results(),
                log.nanos(),
                master.manager().lightSweeps(),
                master.manager().traps(),
                master.manager().ignoredTraps(),
                master.manager().counters(),
                master.administration().counters(),
                master.answersNotSent()));
    }

    private static Doc port(SubnetSnapshot snapshot) {
        Fabric fabric = snapshot.fabric();
        return new Doc()
                .put("name", fabric.portName(snapshot.smPort()))
                .put("guid", "0x%016x".formatted(fabric.portGuid(snapshot.smPort())))
                .put("lid", fabric.lid(snapshot.smPort()));
    }

    private Doc sweep(SweepLog.Sweep sweep) {
        SweepReport report = sweep.report();
        long sets = report.phases().stream().mapToLong(phase -> phase.sets()).sum();
        boolean onlyReads = master.manager().isWatching();
        Doc doc = new Doc()
                .put("number", report.number())
                .put("at", sweep.at().toString())
                .put("reason", report.reason())
                .put("result", report.result().name().toLowerCase(Locale.ROOT))
                .put("milliseconds", Math.round(report.nanos() / MILLI * 1000) / 1000.0)
                .put("mads", report.requests())
                .put("switches", report.switches())
                .put("other_nodes", report.ends())
                .put("links_active", report.links())
                .put("links_not_active", report.linksDown())
                .put("written", onlyReads ? 0 : sets);
        return onlyReads ? doc.put(WOULD_WRITE, sets) : doc;
    }

    private Map<String, Object> history(int count) {
        List<Object> sweeps = new ArrayList<>();
        for (SweepLog.Sweep each : log.last(count)) {
            List<Object> phases = new ArrayList<>();
            each.report()
                    .phases()
                    .forEach(phase -> phases.add(new Doc()
                            .put("name", phase.name())
                            .put("sets", phase.sets())
                            .put("failed", phase.failed())
                            .put("nodes", phase.nodes())
                            .put("why", phase.why())
                            .map()));
            sweeps.add(sweep(each)
                    .put("phases", phases)
                    .put("notes", each.report().notes())
                    .map());
        }
        return new Doc().put("sweeps", sweeps).map();
    }

    /** Refuses what only who manages the subnet, or watches it, can do. In the loop. */
    private SubnetManager atWork() {
        SubnetManager manager = master.manager();
        if (manager.leavesSubnetToOthers()) {
            throw new ErrnoException(
                    Errno.EAGAIN,
                    "this subnet manager is " + manager.role().text() + ": ask the one that is master, see sm status");
        }
        return manager;
    }

    private Map<String, Object> why(String sw, String lid) {
        if (loop.run(master.manager()::isWatching)) {
            throw new ErrnoException(
                    Errno.EOPNOTSUPP,
                    "it only watches (--monitor), so the routes are another one's: ask that, or see railyard fabric"
                            + " show --live");
        }
        SubnetSnapshot snapshot = loop.run(() -> atWork().snapshot())
                .orElseThrow(() -> new ErrnoException(Errno.EAGAIN, "the first sweep has not ended"));
        Routing routing = snapshot.routing()
                .orElseThrow(() -> new ErrnoException(Errno.EAGAIN, "nothing could be routed yet; see sm status"));
        Optional<TorusPlan> plan = snapshot.routedBy().flatMap(settings -> plan(snapshot.fabric(), settings));
        return new Doc()
                .put("why", new SwitchRoute(snapshot.fabric(), routing, plan).document(sw, lid))
                .put("sweep", snapshot.sweep())
                .map();
    }

    private static Optional<TorusPlan> plan(Fabric fabric, RoutingSettings routing) {
        return routing.engine() instanceof TorusEngine torus
                        && torus.plan(fabric, routing.options()) instanceof TorusEngine.Accepted(TorusPlan plan)
                ? Optional.of(plan)
                : Optional.empty();
    }

    private Map<String, Object> events(long after, long wait) {
        List<Object> events = new ArrayList<>();
        long last = after;
        try {
            for (SweepLog.Event event : log.after(after, wait)) {
                last = event.number();
                events.add(new Doc()
                        .put("number", event.number())
                        .put("at", event.at().toString())
                        .put("text", event.text())
                        .map());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ErrnoException(Errno.ESHUTDOWN, "the subnet manager ends", e);
        }
        return new Doc()
                .put("events", events)
                .put("last", last)
                .put("newest", log.lastEvent())
                .map();
    }

    private Map<String, Object> sweep() {
        atWork().sweepNow("sm sweep");
        return new Doc().put("sweep", "begun").map();
    }

    /**
     * Reads the configuration again, all of it before any is used. One that comes meanwhile waits, so that what was
     * read last is what is used last.
     *
     * @param why what the next sweep is made for
     */
    Map<String, Object> reload(String why) {
        reloading.lock();
        try {
            return reloadAlone(why);
        } finally {
            reloading.unlock();
        }
    }

    private Map<String, Object> reloadAlone(String why) {
        SmConfiguration read = reload.read();
        SmConfiguration old = configuration;
        if (read.sa().subnetPrefix() != old.sa().subnetPrefix()) {
            String place = (read.prefixPlace().isEmpty() ? old : read).prefixPlace();
            throw new ErrnoException(
                    Errno.EOPNOTSUPP,
                    place + ": subnet_prefix has changed: nothing is used, because all GIDs change with it, and that"
                            + " needs a restart");
        }
        List<String> changes = new ArrayList<>(read.changes(old));
        loop.run(() -> {
            configuration = read;
            changes.addAll(master.configure(read.sm(), read.sa(), why));
            return read;
        });
        changes.forEach(change -> log.tell(why + ": " + change));
        boolean idle = loop.run(master.manager()::leavesSubnetToOthers);
        String used = idle ? "used when it is master" : "used from the sweep on that begins now";
        String same = idle ? "nothing has changed" : "nothing has changed; a sweep begins";
        return new Doc()
                .put("reload", changes.isEmpty() ? same : used)
                .put("changes", changes)
                .put("warnings", read.warnings())
                .map();
    }

    private Map<String, Object> cable(String port, boolean up) {
        Cables simulated = cables.orElseThrow(() -> new ErrnoException(
                Errno.EOPNOTSUPP, "only cables of a simulated subnet can be pulled from here (--fabric FILE --live)"));
        return loop.run(() -> {
            simulated.set(port, up);
            log.tell((up ? "relink " : "unlink ") + port);
            return new Doc().put(up ? "relink" : "unlink", port).map();
        });
    }

    private Map<String, Object> end() {
        stop.run();
        return new Doc().put("stop", "begun").map();
    }

    /**
     * Does {@link #reload} for a signal, and keeps an event of how it ended.
     *
     * @param told is told line by line what has changed and how it ended: nobody waits for an answer
     */
    void reloadBySignal(Consumer<String> told) {
        String end;
        try {
            if (reload(BY_SIGNAL).get("changes") instanceof List<?> changes) {
                changes.forEach(change -> told.accept(BY_SIGNAL + ": " + change));
            }
            end = BY_SIGNAL + ": the configuration was read";
        } catch (RuntimeException e) {
            end = BY_SIGNAL + ": nothing changed: " + e.getMessage();
        }
        log.tell(end);
        told.accept(end);
    }
}
