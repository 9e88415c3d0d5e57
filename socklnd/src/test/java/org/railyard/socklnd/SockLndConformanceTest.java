package org.railyard.socklnd;

import org.junit.jupiter.api.Nested;
import org.railyard.conformance.CompletionContract;
import org.railyard.conformance.FailureContract;
import org.railyard.conformance.FlowContract;
import org.railyard.conformance.LifecycleContract;
import org.railyard.conformance.LndFixture;
import org.railyard.conformance.PayloadContract;
import org.railyard.testkit.Requirement;

/** TCP keeps the contract of transports. */
class SockLndConformanceTest {
    @Nested
    class Payloads extends PayloadContract {
        @Override
        protected LndFixture open() {
            return new SockLndFixture(false);
        }
    }

    @Nested
    class Completions extends CompletionContract {
        @Override
        protected LndFixture open() {
            return new SockLndFixture(false);
        }
    }

    @Nested
    class Flow extends FlowContract {
        @Override
        protected LndFixture open() {
            return new SockLndFixture(false);
        }
    }

    @Nested
    class Lifecycle extends LifecycleContract {
        @Override
        protected LndFixture open() {
            return new SockLndFixture(false);
        }
    }

    @Nested
    @Requirement({"rsl-058", "rsl-078", "rsl-142", "rsl-143", "hlt-005", "hlt-010"})
    class Failures extends FailureContract {
        @Override
        protected LndFixture open() {
            return new SockLndFixture(true);
        }
    }
}
