package org.railyard.lab.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.lab.check.Borrowing;
import org.railyard.lab.check.CallRules;
import org.railyard.lab.check.Checker;
import org.railyard.lab.check.Conservation;
import org.railyard.lab.check.CreditBalance;
import org.railyard.lab.check.Deadlines;
import org.railyard.lab.check.Delivery;
import org.railyard.lab.check.Expectations;
import org.railyard.lab.check.HealthRestored;
import org.railyard.lab.check.LndContractChecker;
import org.railyard.lab.check.OwnNis;
import org.railyard.lab.check.SelftestRules;
import org.railyard.lab.check.StackInvariants;
import org.railyard.lab.check.TargetRules;
import org.railyard.lab.check.Violations;
import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.engine.RandomStreams;
import org.railyard.lab.fabric.RailFabric;
import org.railyard.lab.fabric.TorusSettings;
import org.railyard.lab.load.Client;
import org.railyard.lab.load.Content;
import org.railyard.lab.net.SimMachine;
import org.railyard.lab.net.SimNetwork;
import org.railyard.lab.observe.Journal;
import org.railyard.lab.observe.JournalKind;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lab.observe.OpenCalls;
import org.railyard.lab.observe.RunRecorder;
import org.railyard.lab.scenario.Scenario;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventHandler;

/** Everything that the parts of one run share. Belongs to the thread of the run. */
final class World implements AutoCloseable {
    /** In one run of so many all bytes of payloads are copied and compared; in the others references stand for them. */
    private static final int ALL_BYTES_EVERY = 16;

    final EventQueue queue = new EventQueue();
    final Content content;
    final RandomStreams chance;
    final Interposer interposer;
    final Journal journal;
    final Violations findings;
    final SimNetwork network;
    final Client client;
    final LndContractChecker lndContract;
    final SelftestRules selftestRules;
    final Optional<SelftestRun> selftest;
    final OpenCalls openCalls = new OpenCalls();
    final Tally tally = new Tally();
    final RunWatch watch;
    final List<LabNode> nodes = new ArrayList<>();
    private final List<Checker> checkers = new ArrayList<>();
    private final List<Consumer<LabNode>> starters = new ArrayList<>();

    World(
            Scenario scenario,
            long seed,
            Interposer interposer,
            @Nullable Consumer<Journal.Line> reader,
            @Nullable RunRecorder recorder) {
        content = new Content(seed);
        this.chance = new RandomStreams(seed);
        this.interposer = interposer;
        List<SimMachine> machines = new ArrayList<>();
        journal = new Journal(queue, machines, reader);
        findings = new Violations(queue, journal);
        network = new SimNetwork(queue, chance.of("network", 0), journal, machines);
        if (!interposer.needsBytes() && seed % ALL_BYTES_EVERY != 0) {
            network.storeReferences();
        }
        lndContract = new LndContractChecker(findings);
        CallRules callRules = new CallRules(findings, queue, openCalls);
        Borrowing borrowing = new Borrowing(findings, openCalls);
        Deadlines deadlines = new Deadlines(findings, queue, openCalls, borrowing);
        Delivery delivery = new Delivery(findings, content);
        Conservation conservation = new Conservation(findings);
        TargetRules targetRules = new TargetRules(findings);
        StackInvariants invariants = new StackInvariants(findings);
        Expectations expectations = new Expectations(findings, scenario.expect());
        if (recorder != null) {
            recorder.setClock(queue::now);
        }
        watch = new RunWatch(
                journal,
                lndContract,
                callRules,
                deadlines,
                borrowing,
                delivery,
                conservation,
                targetRules,
                invariants,
                expectations,
                tally,
                recorder);
        client = new Client(queue, content, watch, openCalls, this::guarded);
        checkers.addAll(List.of(
                lndContract,
                callRules,
                deadlines,
                delivery,
                targetRules,
                new CreditBalance(findings),
                invariants,
                conservation,
                expectations));
        selftestRules = new SelftestRules(findings, queue);
        selftest = scenario.selftest().map(plan -> new SelftestRun(this, plan));
        if (selftest.isPresent()) {
            checkers.add(selftestRules);
        }
        addExpected(scenario.expect());
    }

    private void addExpected(Scenario.Expect expect) {
        if (expect.healthRestored()) {
            checkers.add(new HealthRestored(findings));
        }
        if (expect.ownNisWell()) {
            checkers.add(new OwnNis(findings));
        }
    }

    /** Makes the fabric of a rail. */
    RailFabric fabric(String rail, TorusSettings settings, int number) {
        RailFabric fabric = new RailFabric(
                queue,
                chance.of("fabric", number),
                settings,
                network,
                text -> journal.note(null, JournalKind.FABRIC, rail + ": " + text));
        fabric.setMemorySource(content::forMessages);
        fabric.onDeadlock(text -> findings.add("fabric", rail + ": " + text));
        return fabric;
    }

    /**
     * A handler whose exceptions, which the stack would only log, are findings. A class, as there is one for each call:
     * the first compiler makes objects of lambdas slowly.
     */
    private final class Guarded implements EventHandler {
        private final EventHandler inner;

        Guarded(EventHandler inner) {
            this.inner = inner;
        }

        @Override
        public void onEvent(Event event) {
            try {
                inner.onEvent(event);
            } catch (RuntimeException e) {
                findings.add("crash", Crash.describe(e));
            }
        }
    }

    /** Returns a handler that is guarded. */
    EventHandler guarded(EventHandler handler) {
        return new Guarded(interposer.handler(handler));
    }

    /** Calls something whenever a node starts to live. */
    void onStart(Consumer<LabNode> starter) {
        starters.add(starter);
    }

    void started(LabNode node, NodeRun life) {
        if (life.goesOn()) {
            starters.forEach(starter -> starter.accept(node));
        }
    }

    void killed(NodeRun life) {
        client.forget(life);
        checkers.forEach(checker -> checker.killed(life));
    }

    void closed(NodeRun life) {
        checkers.forEach(checker -> checker.closed(life));
    }

    /** Returns the lives that go on. */
    List<NodeRun> lives() {
        List<NodeRun> lives = new ArrayList<>();
        for (LabNode node : nodes) {
            NodeRun life = node.life();
            if (life != null) {
                lives.add(life);
            }
        }
        return lives;
    }

    void tick() {
        List<NodeRun> lives = lives();
        checkers.forEach(checker -> checker.tick(queue.now(), lives));
    }

    void atRest() {
        List<NodeRun> lives = lives();
        checkers.forEach(checker -> checker.atRest(lives));
    }

    void atEnd() {
        checkers.forEach(Checker::atEnd);
    }

    @Override
    public void close() {
        content.close();
    }
}
