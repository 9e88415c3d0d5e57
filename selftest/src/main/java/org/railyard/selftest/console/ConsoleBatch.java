package org.railyard.selftest.console;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.api.BatchView;

/** Tests that are started together. Guarded by the lock of the console. */
public final class ConsoleBatch {
    private final String name;
    private final long id;
    private final List<ConsoleTest> tests = new ArrayList<>();
    private boolean running;

    /** Makes one without tests. */
    public ConsoleBatch(String name, long id) {
        this.name = name;
        this.id = id;
    }

    /** Returns its number on the wire. */
    public long id() {
        return id;
    }

    /** Returns its tests, to be added to. */
    public List<ConsoleTest> tests() {
        return tests;
    }

    /** Tells whether it was started and not stopped since. */
    public boolean isRunning() {
        return running;
    }

    /** Notes that it was started or stopped. */
    public void setRunning(boolean on) {
        running = on;
    }

    /** Returns the nodes that call others, each once. */
    public List<ConsoleNode> clients() {
        Map<ProcessId, ConsoleNode> all = new LinkedHashMap<>();
        for (ConsoleTest test : tests) {
            test.from().nodes().forEach(node -> all.putIfAbsent(node.id(), node));
        }
        return List.copyOf(all.values());
    }

    /** Tells whether a group is part of a test. */
    public boolean uses(Group group) {
        return tests.stream().anyMatch(test -> test.from() == group || test.to() == group);
    }

    /** Returns what there is to be seen of it. */
    public BatchView view() {
        return new BatchView(
                name, id, running, tests.stream().map(ConsoleTest::view).toList());
    }
}
