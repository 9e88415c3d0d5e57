package org.railyard.lab.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.railyard.lab.check.HealthRestored;
import org.railyard.lab.fabric.RailFabric;
import org.railyard.lab.fabric.TorusSettings;
import org.railyard.lab.net.Rail;
import org.railyard.lab.net.SimDevice;
import org.railyard.lab.net.SimMachine;
import org.railyard.lab.observe.Journal;
import org.railyard.lab.observe.Outcome;
import org.railyard.lab.observe.RunRecorder;
import org.railyard.lab.scenario.Scenario;

/**
 * One run of a scenario with one seed, in virtual time, on the calling thread. The same scenario, seed and version give
 * the same run, event for event: a seed that found something finds it again.
 */
public final class LabRun {
    private static final long SECOND = 1_000_000_000L;

    /** Nodes do not start at the very same moment. */
    private static final long STAGGER_NANOS = 100_000_000L;

    /** Seconds for which all must be quiet before it counts as rest. */
    private static final int QUIET_SECONDS = 3;

    private final Scenario scenario;
    private final long seed;
    private final World world;
    private final Loads loads;
    private final FaultPlayer faults;
    private final Map<String, RailFabric> fabrics = new LinkedHashMap<>();

    private LabRun(
            Scenario scenario,
            long seed,
            Interposer interposer,
            @Nullable Consumer<Journal.Line> reader,
            @Nullable RunRecorder recorder) {
        this.scenario = scenario;
        this.seed = seed;
        this.world = new World(scenario, seed, interposer, reader, recorder);
        Map<String, Rail> rails = new LinkedHashMap<>();
        for (Scenario.Rail rail : scenario.rails()) {
            rails.put(rail.name(), world.network.addRail(rail.name(), rail.settings(), rail.isolated()));
            TorusSettings torus = rail.torus();
            if (torus != null) {
                fabrics.put(rail.name(), world.fabric(rail.name(), torus, fabrics.size()));
            }
        }
        addNodes(rails);
        loads = new Loads(world, scenario.loads());
        world.selftest.ifPresent(SelftestRun::prepare);
        faults = new FaultPlayer(world, rails, fabrics, scenario.faults());
        RandomGenerator random = world.chance.of("stagger", 0);
        for (LabNode node : world.nodes) {
            world.queue.at(random.nextLong(STAGGER_NANOS), node::start);
        }
    }

    /** Runs a scenario with a seed. */
    public static RunResult run(Scenario scenario, long seed) {
        return run(scenario, seed, Interposer.NONE, null);
    }

    /**
     * Runs a scenario with a seed.
     *
     * @param interposer what is put in between
     * @param reader gets the journal, line by line; null for nobody
     */
    public static RunResult run(
            Scenario scenario, long seed, Interposer interposer, @Nullable Consumer<Journal.Line> reader) {
        return new LabRun(scenario, seed, interposer, reader, null).whole();
    }

    /**
     * Runs a scenario with a seed, and keeps what happens.
     *
     * @param recorder a new one, which is told everything
     */
    public static RunResult record(Scenario scenario, long seed, RunRecorder recorder) {
        return new LabRun(scenario, seed, Interposer.NONE, recorder, recorder).whole();
    }

    private RunResult whole() {
        try (World _ = world) {
            return play();
        }
    }

    private void addNodes(Map<String, Rail> rails) {
        Map<String, Integer> used = new LinkedHashMap<>();
        for (Scenario.Group group : scenario.groups()) {
            for (int i = 1; i <= group.count(); i++) {
                SimMachine machine = world.network.addMachine(group.name() + "-" + i);
                group.devices().forEach((device, railName) -> {
                    Rail rail = rails.get(railName);
                    if (rail != null) {
                        int address = subnet(railName) + used.merge(railName, 1, Integer::sum);
                        SimDevice added = world.network.addDevice(machine, device, rail, address);
                        RailFabric fabric = fabrics.get(railName);
                        if (fabric != null) {
                            fabric.attach(machine, added);
                        }
                    }
                });
                world.nodes.add(new LabNode(world, machine, group.name(), group.config()));
            }
        }
    }

    private int subnet(String rail) {
        for (Scenario.Rail each : scenario.rails()) {
            if (each.name().equals(rail)) {
                return each.subnet();
            }
        }
        throw new IllegalArgumentException("no rail " + rail);
    }

    private RunResult play() {
        try {
            long tested = world.selftest.map(SelftestRun::end).orElse(0L);
            pass(Math.max(Math.max(Math.max(loads.end(), tested), faults.lastChange()), SECOND));
            settle();
            if (!world.findings.isFull()) {
                closeAll();
            }
        } catch (RuntimeException | AssertionError | StackOverflowError e) {
            world.findings.add("crash", Crash.describe(e));
        }
        return new RunResult(
                seed,
                world.findings.all(),
                outcomes(),
                world.tally.messages(),
                world.queue.happened(),
                world.queue.now(),
                reports(),
                world.journal.fingerprint());
    }

    /** Returns the calls of applications and of tests by outcome. */
    private Map<Outcome, Long> outcomes() {
        Map<Outcome, Long> all = world.tally.outcomes();
        all.replaceAll((outcome, count) -> count + world.selftestRules.count(outcome));
        return all;
    }

    private List<String> reports() {
        List<String> reports = new ArrayList<>();
        fabrics.forEach((name, fabric) ->
                fabric.report(world.queue.now()).ifPresent(report -> reports.add(name + ": " + report)));
        return reports;
    }

    /** Lets time pass, with a look around every second. */
    private void pass(long until) {
        while (world.queue.now() < until && !world.findings.isFull()) {
            long next = Math.min(until, world.queue.now() - world.queue.now() % SECOND + SECOND);
            boolean more = true;
            while (more) {
                more = world.queue.runNext(next);
            }
            world.tick();
        }
    }

    /** Waits until all is over, all is well, and nothing moves. */
    private void settle() {
        long limit = world.queue.now() + scenario.settleNanos();
        int quiet = 0;
        while (world.queue.now() < limit && quiet < QUIET_SECONDS && !world.findings.isFull()) {
            pass(world.queue.now() + SECOND);
            quiet = isQuiet() ? quiet + 1 : 0;
        }
        if (world.openCalls.size() > 0) {
            world.findings.add(
                    "rest", world.openCalls.size() + " calls have no outcome when the time to settle is over");
        }
        if (!isTested()) {
            world.findings.add("rest", "the console of selftest is not done when the time to settle is over");
        }
        if (world.lndContract.lent() > 0) {
            // LNet's own pings come at any time; a second later they are through, if they ever are.
            pass(world.queue.now() + SECOND / 2);
        }
        if (world.lndContract.lent() > 0) {
            world.findings.add(
                    "rest", world.lndContract.lent() + " messages are still with LNDs when the time to settle is over");
        }
        world.atRest();
    }

    private boolean isQuiet() {
        return world.openCalls.size() == 0
                && isTested()
                && world.lndContract.lent() == 0
                && (!scenario.expect().healthRestored() || HealthRestored.isRestored(world.lives()));
    }

    /** Tells whether there is no selftest, or it is over. */
    private boolean isTested() {
        return world.selftest.map(SelftestRun::isOver).orElse(true) && world.selftestRules.open() == 0;
    }

    private void closeAll() {
        for (LabNode node : List.copyOf(world.nodes)) {
            node.close();
        }
        pass(world.queue.now() + SECOND);
        world.atEnd();
    }
}
