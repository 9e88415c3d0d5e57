package org.railyard.selftest.console;

import java.util.ArrayList;
import java.util.List;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.api.TestSpec;
import org.railyard.selftest.api.TestView;

/**
 * A test of a batch.
 *
 * @param index its number in the batch, from 1 on; 0 before it is part of it
 * @param spec what it does
 * @param from who calls
 * @param to who is called
 */
public record ConsoleTest(int index, TestSpec spec, Group from, Group to) {
    /** Returns a copy with a number. */
    public ConsoleTest withIndex(int number) {
        return new ConsoleTest(number, spec, from, to);
    }

    /** Returns what there is to be seen of it. */
    public TestView view() {
        return new TestView(index, spec, from.view(), to.view());
    }

    /**
     * Returns whom a client calls (spec 03 §6).
     *
     * @param client its number among those who call, from 0 on
     */
    public static List<ProcessId> targets(TestSpec spec, int client, List<ProcessId> to) {
        int start = (int) ((long) (client / spec.distribute()) * spec.span() % to.size());
        List<ProcessId> targets = new ArrayList<>();
        for (int i = 0; i < spec.span(); i++) {
            targets.add(to.get((start + i) % to.size()));
        }
        return targets;
    }

    /** Returns how many calls a node that is called may expect at a time, as its loop says. */
    public static int expected(TestSpec spec, int from, int to) {
        long distributions = ceil(from, spec.distribute());
        long spans = ceil(to, spec.span());
        return (int) Math.min(Integer.MAX_VALUE, ceil(distributions, spans) * spec.distribute() * spec.concurrency());
    }

    private static long ceil(long of, long by) {
        return (of + by - 1) / by;
    }
}
