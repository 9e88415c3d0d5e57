package org.railyard.lab.net;

import org.junit.jupiter.api.Nested;
import org.railyard.conformance.CompletionContract;
import org.railyard.conformance.FailureContract;
import org.railyard.conformance.FlowContract;
import org.railyard.conformance.LifecycleContract;
import org.railyard.conformance.LndFixture;
import org.railyard.conformance.PayloadContract;
import org.railyard.lnet.nid.NetType;

/** It keeps the contract on rails that lose and repeat frames, as one that completes when the other side has acknowledged. */
class LossyLndConformanceTest {
    @Nested
    class Payloads extends PayloadContract {
        @Override
        protected LndFixture open() {
            return new SimLndFixture(NetType.O2IB, 0.02, 0.05);
        }
    }

    @Nested
    class Completions extends CompletionContract {
        @Override
        protected LndFixture open() {
            return new SimLndFixture(NetType.O2IB, 0.02, 0.05);
        }
    }

    @Nested
    class Flow extends FlowContract {
        @Override
        protected LndFixture open() {
            return new SimLndFixture(NetType.O2IB, 0.02, 0.05);
        }
    }

    @Nested
    class Lifecycle extends LifecycleContract {
        @Override
        protected LndFixture open() {
            return new SimLndFixture(NetType.O2IB, 0.02, 0.05);
        }
    }

    @Nested
    class Failures extends FailureContract {
        @Override
        protected LndFixture open() {
            return new SimLndFixture(NetType.O2IB, 0.02, 0.05);
        }
    }
}
