package org.railyard.conformance;

import org.junit.jupiter.api.Nested;

/** The whole contract of transports: the test class of a transport extends this and says in what world it is tested. */
public abstract class LndConformance {
    /** For subclasses. */
    protected LndConformance() {}

    /** Returns the transport to test, with a world of its own. */
    protected abstract LndFixture open();

    /** The same for the tests of failures, which need paths that stall and break. */
    protected LndFixture openBreakable() {
        return open();
    }

    @Nested
    class Payloads extends PayloadContract {
        @Override
        protected LndFixture open() {
            return LndConformance.this.open();
        }
    }

    @Nested
    class Gets extends GetContract {
        @Override
        protected LndFixture open() {
            return openBreakable();
        }
    }

    @Nested
    class Completions extends CompletionContract {
        @Override
        protected LndFixture open() {
            return LndConformance.this.open();
        }
    }

    @Nested
    class Flow extends FlowContract {
        @Override
        protected LndFixture open() {
            return LndConformance.this.open();
        }
    }

    @Nested
    class Lifecycle extends LifecycleContract {
        @Override
        protected LndFixture open() {
            return LndConformance.this.open();
        }
    }

    @Nested
    class Failures extends FailureContract {
        @Override
        protected LndFixture open() {
            return openBreakable();
        }
    }
}
