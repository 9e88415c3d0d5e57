package org.railyard.selftest.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The tests of a node that are started together. Guarded by the lock of its {@link TestNode}. */
final class Batch {
    /** Most tests of a batch. */
    static final int MAX_TESTS = 1024;

    /** A test that this node calls others in; empty where it is called. */
    private final List<Optional<ClientTest>> tests = new ArrayList<>();

    boolean isFull() {
        return tests.size() == MAX_TESTS;
    }

    void addServer() {
        tests.add(Optional.empty());
    }

    void add(ClientTest test) {
        tests.add(Optional.of(test));
    }

    private List<ClientTest> clients() {
        return tests.stream().flatMap(Optional::stream).toList();
    }

    /** Returns how many tests have units that are running. */
    int active() {
        return (int) clients().stream().filter(test -> test.running() > 0).count();
    }

    /** Returns the tests to be started, which count as running from now on: none if it is running. */
    List<ClientTest> toRun() {
        List<ClientTest> tests = active() > 0 ? List.of() : clients();
        tests.forEach(ClientTest::reserve);
        return tests;
    }

    void stop(boolean now) {
        clients().forEach(test -> test.stop(now));
    }

    int size() {
        return tests.size();
    }

    /**
     * Returns how many units of a test are running.
     *
     * @param number from 1 on
     */
    int running(int number) {
        return tests.get(number - 1).map(ClientTest::running).orElse(0);
    }
}
