package org.railyard.roce;

import org.junit.jupiter.api.Nested;
import org.railyard.conformance.CompletionContract;
import org.railyard.conformance.FailureContract;
import org.railyard.conformance.FlowContract;
import org.railyard.conformance.LifecycleContract;
import org.railyard.conformance.LndFixture;
import org.railyard.conformance.PayloadContract;

/** The transport over InfiniBand keeps its contract on verbs over UDP. */
class RoceLndConformanceTest {
    private static LndFixture fixture() {
        return new RoceLndFixture();
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
