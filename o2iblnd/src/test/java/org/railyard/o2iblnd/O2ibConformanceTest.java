package org.railyard.o2iblnd;

import org.junit.jupiter.api.Nested;
import org.railyard.conformance.CompletionContract;
import org.railyard.conformance.FailureContract;
import org.railyard.conformance.FlowContract;
import org.railyard.conformance.LifecycleContract;
import org.railyard.conformance.LndFixture;
import org.railyard.conformance.PayloadContract;
import org.railyard.o2iblnd.tune.Tunables;

/** The transport over InfiniBand keeps the contract. */
class O2ibConformanceTest {
    private static LndFixture fixture() {
        return new O2ibFixture(Tunables.DEFAULT);
    }

    @Nested
    class Payloads extends PayloadContract {
        @Override
        protected LndFixture open() {
            return fixture();
        }
    }

    @Nested
    class Completions extends CompletionContract {
        @Override
        protected LndFixture open() {
            return fixture();
        }
    }

    @Nested
    class Flow extends FlowContract {
        @Override
        protected LndFixture open() {
            return fixture();
        }
    }

    @Nested
    class Lifecycle extends LifecycleContract {
        @Override
        protected LndFixture open() {
            return fixture();
        }
    }

    @Nested
    class Failures extends FailureContract {
        @Override
        protected LndFixture open() {
            return fixture();
        }
    }
}
