package org.railyard.lab.net;

import org.junit.jupiter.api.Nested;
import org.railyard.conformance.CompletionContract;
import org.railyard.conformance.FailureContract;
import org.railyard.conformance.FlowContract;
import org.railyard.conformance.LifecycleContract;
import org.railyard.conformance.LndFixture;
import org.railyard.conformance.PayloadContract;
import org.railyard.lnet.nid.NetType;

/** The simulated transport keeps the contract, as one that completes when the connection has taken a message. */
class SimLndConformanceTest {
    @Nested
    class Payloads extends PayloadContract {
        @Override
        protected LndFixture open() {
            return new SimLndFixture(NetType.TCP, 0, 0);
        }
    }

    @Nested
    class Completions extends CompletionContract {
        @Override
        protected LndFixture open() {
            return new SimLndFixture(NetType.TCP, 0, 0);
        }
    }

    @Nested
    class Flow extends FlowContract {
        @Override
        protected LndFixture open() {
            return new SimLndFixture(NetType.TCP, 0, 0);
        }
    }

    @Nested
    class Lifecycle extends LifecycleContract {
        @Override
        protected LndFixture open() {
            return new SimLndFixture(NetType.TCP, 0, 0);
        }
    }

    @Nested
    class Failures extends FailureContract {
        @Override
        protected LndFixture open() {
            return new SimLndFixture(NetType.TCP, 0, 0);
        }
    }
}
