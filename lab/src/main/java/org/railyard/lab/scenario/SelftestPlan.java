package org.railyard.lab.scenario;

import java.util.List;
import org.railyard.selftest.api.TestSpec;

/**
 * What selftest does in a scenario: all nodes can be tested, one has the console. Immutable.
 *
 * @param console the node with the console
 * @param rpcTimeout how long a call of a test may take, s
 * @param tests what is tested, each with a batch of its own
 */
public record SelftestPlan(Selector console, int rpcTimeout, List<Test> tests) {
    /** Copies the list. */
    public SelftestPlan {
        tests = List.copyOf(tests);
    }

    /**
     * Tests that begin and end together.
     *
     * @param from who calls
     * @param to who is called
     * @param specs what is done; the groups are called {@code from} and {@code to}
     * @param start when it begins, ns
     * @param duration how long it goes on, ns; what has ended with an error is started again meanwhile
     */
    public record Test(Selector from, Selector to, List<TestSpec> specs, Span start, Span duration) {
        /** Copies the list. */
        public Test {
            specs = List.copyOf(specs);
        }
    }
}
