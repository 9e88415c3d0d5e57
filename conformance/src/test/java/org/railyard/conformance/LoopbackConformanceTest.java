package org.railyard.conformance;

import org.junit.jupiter.api.Nested;

/** {@code 0@lo} keeps the contract, as far as it can be asked to. */
class LoopbackConformanceTest {
    @Nested
    class Payloads extends PayloadContract {
        @Override
        protected LndFixture open() {
            return new LoopbackFixture();
        }
    }

    @Nested
    class Completions extends CompletionContract {
        @Override
        protected LndFixture open() {
            return new LoopbackFixture();
        }
    }

    @Nested
    class Flow extends FlowContract {
        @Override
        protected LndFixture open() {
            return new LoopbackFixture();
        }
    }

    @Nested
    class Lifecycle extends LifecycleContract {
        @Override
        protected LndFixture open() {
            return new LoopbackFixture();
        }
    }

    @Nested
    class Failures extends FailureContract {
        @Override
        protected LndFixture open() {
            return new LoopbackFixture();
        }
    }
}
