package org.railyard.lab.net;

import org.junit.jupiter.api.Nested;
import org.railyard.conformance.CompletionContract;
import org.railyard.conformance.FailureContract;
import org.railyard.conformance.FlowContract;
import org.railyard.conformance.LifecycleContract;
import org.railyard.conformance.LndFixture;
import org.railyard.conformance.PayloadContract;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NetType;

/** The simulated LND keeps the contract of transports, on a wire that loses and repeats frames, as a socket and as a fabric. */
class SimLndConformanceTest {
    private static final Net FABRIC = Net.of(NetType.O2IB, 0);

    @Nested
    class Payloads extends PayloadContract {
        @Override
        protected LndFixture open() {
            return new SimFixture(Net.TCP);
        }
    }

    @Nested
    class Completions extends CompletionContract {
        @Override
        protected LndFixture open() {
            return new SimFixture(Net.TCP);
        }
    }

    @Nested
    class Flow extends FlowContract {
        @Override
        protected LndFixture open() {
            return new SimFixture(Net.TCP);
        }
    }

    @Nested
    class Lifecycle extends LifecycleContract {
        @Override
        protected LndFixture open() {
            return new SimFixture(Net.TCP);
        }
    }

    @Nested
    class Failures extends FailureContract {
        @Override
        protected LndFixture open() {
            return new SimFixture(Net.TCP);
        }
    }

    @Nested
    class PayloadsOfAFabric extends PayloadContract {
        @Override
        protected LndFixture open() {
            return new SimFixture(FABRIC);
        }
    }

    @Nested
    class CompletionsOfAFabric extends CompletionContract {
        @Override
        protected LndFixture open() {
            return new SimFixture(FABRIC);
        }
    }

    @Nested
    class FlowOfAFabric extends FlowContract {
        @Override
        protected LndFixture open() {
            return new SimFixture(FABRIC);
        }
    }

    @Nested
    class LifecycleOfAFabric extends LifecycleContract {
        @Override
        protected LndFixture open() {
            return new SimFixture(FABRIC);
        }
    }

    @Nested
    class FailuresOfAFabric extends FailureContract {
        @Override
        protected LndFixture open() {
            return new SimFixture(FABRIC);
        }
    }
}
