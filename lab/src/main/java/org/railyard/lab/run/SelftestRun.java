package org.railyard.lab.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.lab.observe.JournalKind;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lab.scenario.SelftestPlan;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.Console;
import org.railyard.selftest.Selftest;
import org.railyard.selftest.api.NodeResult;
import org.railyard.selftest.api.NodeState;
import org.railyard.selftest.api.SelftestSettings;
import org.railyard.selftest.api.TestSpec;
import org.railyard.selftest.api.Who;
import org.railyard.selftest.wire.BatchReply;

/**
 * Selftest in a run: all nodes can be tested, and somebody at the console lets them test each other: makes a session
 * and groups, starts a batch for each test, starts again what has ended with an error, stops it, asks everybody what
 * was counted, and ends the session. If the console dies, nobody goes on with it.
 */
final class SelftestRun {
    private static final int KEY = 1;
    private static final int FEATURES = 1;
    private static final int LIMIT_SECONDS = 30;
    private static final long SECOND = 1_000_000_000L;

    /** By then all nodes have started. */
    private static final long PREPARE_NANOS = SECOND / 2;

    /** How often somebody looks whether all is as it should be. */
    private static final long ROUND_NANOS = 2 * SECOND;

    /** So many looks at a batch that does not stop, then the calls that are under way are ended. */
    private static final int LOOKS_WITHOUT_FORCE = 3;

    private final World world;
    private final SelftestPlan plan;
    private final List<Course> courses = new ArrayList<>();
    private @Nullable LabNode place;
    private @Nullable NodeRun consoleLife;
    private long end;
    private int left;
    private boolean over;

    SelftestRun(World world, SelftestPlan plan) {
        this.world = world;
        this.plan = plan;
    }

    /** Starts selftest on a node that has just started. */
    Selftest start(NodeRun life) {
        SelftestSettings settings = new SelftestSettings(SelftestSettings.DEFAULT.sessionTimeout(), plan.rpcTimeout());
        return Selftest.start(
                life.lnet(), life.host(), settings, world.interposer.selftest(world.selftestRules.watch(life)));
    }

    /** Decides what the seed decides; all nodes are known. */
    void prepare() {
        place = Nodes.select(world.nodes, plan.console(), world.chance.of("console", 0))
                .getFirst();
        for (int i = 0; i < plan.tests().size(); i++) {
            SelftestPlan.Test test = plan.tests().get(i);
            RandomGenerator random = world.chance.of("selftest", i);
            long start = test.start().draw(random);
            courses.add(new Course(
                    i,
                    test,
                    ids(Nodes.select(world.nodes, test.from(), random)),
                    ids(Nodes.select(world.nodes, test.to(), random)),
                    start,
                    start + test.duration().draw(random)));
            end = Math.max(end, courses.getLast().end);
        }
        left = courses.size();
        world.queue.at(PREPARE_NANOS, this::begin);
    }

    /** Nodes are named by their primary NIDs. */
    private static List<ProcessId> ids(List<LabNode> nodes) {
        return nodes.stream().map(node -> ProcessId.of(node.nids().getFirst())).toList();
    }

    /** Returns when the last test ends, ns. */
    long end() {
        return end;
    }

    /** Tells whether nobody at the console does anything any more. */
    boolean isOver() {
        return over || consoleLife != null && !consoleLife.goesOn();
    }

    private void begin() {
        LabNode node = place;
        Selftest selftest = node == null ? null : node.selftest();
        if (node == null || selftest == null) {
            later(this::begin);
            return;
        }
        consoleLife = node.life();
        note("session of " + node.machine().name());
        selftest.console().newSession("lab", KEY, 0, true, FEATURES);
        for (Course course : courses) {
            course.invite(false);
        }
    }

    private @Nullable Console console() {
        Selftest selftest = place == null || isOver() ? null : place.selftest();
        return selftest == null ? null : selftest.console();
    }

    private void note(String text) {
        world.journal.note(place == null ? null : place.machine(), JournalKind.SELFTEST, text);
    }

    private void later(Runnable step) {
        world.queue.at(world.queue.now() + ROUND_NANOS, step);
    }

    /** What somebody at the console types. */
    private interface Command {
        CompletionStage<List<NodeResult>> at(Console console);
    }

    /**
     * Gives a command and goes on when all nodes have answered or have not in time; not inside the stack's own events.
     */
    private void type(String what, Command command, Consumer<List<NodeResult>> then) {
        Console console = console();
        if (console == null) {
            return;
        }
        try {
            command.at(console).whenComplete((results, failure) -> {
                if (failure != null) {
                    world.findings.add("crash", what + ": " + Crash.describe(failure));
                } else {
                    world.queue.at(world.queue.now(), () -> {
                        note(what + ": " + text(results));
                        then.accept(results);
                    });
                }
            });
        } catch (ErrnoException e) {
            world.findings.add("selftest", what + " is refused: " + e.getMessage());
            over = true;
        }
    }

    private static String text(List<NodeResult> results) {
        StringBuilder out = new StringBuilder();
        for (NodeResult each : results) {
            out.append(out.isEmpty() ? "" : ", ")
                    .append(each.node().nid())
                    .append(' ')
                    .append(each.state())
                    .append(' ')
                    .append(each.status());
            if (each.reply() instanceof BatchReply reply && reply.active() != 0) {
                out.append(" active ").append(reply.active());
            }
        }
        return out.toString();
    }

    private void finished() {
        if (--left == 0) {
            type(
                    "stat",
                    console -> console.statistics(KEY, new Who.All(), LIMIT_SECONDS),
                    _ -> type("end_session", console -> console.endSession(KEY), this::ended));
        }
    }

    private void ended(List<NodeResult> results) {
        over = true;
        for (NodeResult each : results) {
            if (each.status() == 0 && each.state() == NodeState.ACTIVE) {
                world.findings.add("selftest", each.node().nid() + " is still in the session that has ended");
            }
        }
    }

    /** One test, from its groups to its end. */
    private final class Course {
        private final String number;
        private final List<TestSpec> specs;
        private final List<ProcessId> from;
        private final List<ProcessId> to;
        private final long start;
        private final long end;
        private int looks;

        Course(int number, SelftestPlan.Test test, List<ProcessId> from, List<ProcessId> to, long start, long end) {
            this.number = Integer.toString(number + 1);
            this.specs = test.specs();
            this.from = from;
            this.to = to;
            this.start = start;
            this.end = end;
        }

        private String batch() {
            return "batch" + number;
        }

        void invite(boolean again) {
            group("from" + number, from, again, () -> group("to" + number, to, again, this::makeBatch));
        }

        private void group(String name, List<ProcessId> nodes, boolean again, Runnable then) {
            type(
                    (again ? "update_group " : "add_group ") + name,
                    console -> again ? console.refreshGroup(KEY, name) : console.addToGroup(KEY, name, nodes),
                    results -> {
                        if (results.stream().allMatch(each -> each.state() == NodeState.ACTIVE)) {
                            then.run();
                        } else if (world.queue.now() < end) {
                            later(() -> group(name, nodes, true, then));
                        } else {
                            finished();
                        }
                    });
        }

        private void makeBatch() {
            Console console = console();
            if (console != null) {
                console.addBatch(KEY, batch());
                add(0);
            }
        }

        private void add(int index) {
            if (index == specs.size()) {
                world.queue.at(Math.max(start, world.queue.now()), this::run);
                return;
            }
            TestSpec named = specs.get(index).between("from" + number, "to" + number);
            type("add_test " + (index + 1), console -> console.addTest(KEY, batch(), named), _ -> add(index + 1));
        }

        /** What has ended with an error begins again; a node where it goes on does nothing. */
        private void run() {
            if (hasNoTests()) {
                finished();
                return;
            }
            type("run " + batch(), console -> console.run(KEY, batch(), LIMIT_SECONDS), _ -> {
                if (world.queue.now() < end) {
                    world.queue.at(Math.min(end, world.queue.now() + ROUND_NANOS), this::next);
                } else {
                    stop();
                }
            });
        }

        /** Tells whether no node has taken its part, because it was not reached. */
        private boolean hasNoTests() {
            Console console = console();
            return console != null
                    && console.batches(KEY).stream()
                            .anyMatch(each ->
                                    each.name().equals(batch()) && each.tests().isEmpty());
        }

        private void next() {
            if (world.queue.now() < end) {
                run();
            } else {
                stop();
            }
        }

        private void stop() {
            boolean force = looks++ > LOOKS_WITHOUT_FORCE;
            type(
                    "stop " + batch() + (force ? " --force" : ""),
                    console -> console.stop(KEY, batch(), force, LIMIT_SECONDS),
                    _ -> type("query " + batch(), console -> console.query(KEY, batch(), 0, LIMIT_SECONDS), results -> {
                        if (results.stream().allMatch(this::isQuiet)) {
                            finished();
                        } else {
                            later(this::stop);
                        }
                    }));
        }

        /** A node that has left the session, or was started anew, does nothing for it. */
        private boolean isQuiet(NodeResult result) {
            return result.reply() instanceof BatchReply reply && (reply.status() != 0 || reply.active() == 0);
        }
    }
}
