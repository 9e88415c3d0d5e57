package org.railyard.selftest.node;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.railyard.lnet.nid.ProcessId;

/** The part of a node that calls others in a test (spec 03 §4): so many units for each target. Thread-safe. */
final class ClientTest {
    private final TestPlan plan;
    private final List<Unit> units = new ArrayList<>();
    private final AtomicInteger running = new AtomicInteger();
    private volatile boolean stopping;

    /** Whether calls end, too: also one that begins just when the others are ended. */
    private volatile boolean aborting;

    /**
     * Makes a test that does not run yet.
     *
     * @param targets whom to call, each by so many units as the plan says
     * @param failed counts its calls that fail
     */
    ClientTest(TestPlan plan, List<ProcessId> targets, Calls calls, FailedCalls failed) {
        this.plan = plan;
        for (ProcessId target : targets) {
            for (int i = 0; i < plan.concurrency(); i++) {
                units.add(new Unit(this, target, calls, failed));
            }
        }
    }

    TestPlan plan() {
        return plan;
    }

    /** Counts all units as running, so that nobody else starts them; {@link #start} follows. Not while any runs. */
    void reserve() {
        stopping = false;
        aborting = false;
        running.set(units.size());
    }

    /** Starts all units; if the test was stopped since they were reserved, they end at once. */
    void start() {
        units.forEach(Unit::start);
    }

    /** Tells whether units shall not begin another call. */
    boolean isStopping() {
        return stopping;
    }

    /** Tells whether units shall end the call that they are in. */
    boolean isAborting() {
        return aborting;
    }

    /**
     * Lets units end with the call that they are in.
     *
     * @param now whether to end those calls as well
     */
    void stop(boolean now) {
        stopping = true;
        if (now) {
            aborting = true;
            units.forEach(Unit::cancel);
        }
    }

    /** A unit has ended. */
    void ended() {
        running.decrementAndGet();
    }

    /** Returns how many units are running. */
    int running() {
        return running.get();
    }
}
