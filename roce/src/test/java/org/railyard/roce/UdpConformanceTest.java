package org.railyard.roce;

import org.junit.jupiter.api.Nested;
import org.railyard.conformance.verbs.ConnectionContract;
import org.railyard.conformance.verbs.ErrorContract;
import org.railyard.conformance.verbs.MemoryContract;
import org.railyard.conformance.verbs.TransferContract;
import org.railyard.conformance.verbs.VerbsFixture;
import org.railyard.testkit.Requirement;

/** The provider keeps the contract, over real sockets. */
@Requirement({"sv-003", "sv-040"})
class UdpConformanceTest {
    private static VerbsFixture fixture() {
        return new UdpWorld();
    }

    @Nested
    class Connections extends ConnectionContract {
        @Override
        protected VerbsFixture open() {
            return fixture();
        }
    }

    @Nested
    class Transfers extends TransferContract {
        @Override
        protected VerbsFixture open() {
            return fixture();
        }
    }

    @Nested
    class Errors extends ErrorContract {
        @Override
        protected VerbsFixture open() {
            return fixture();
        }
    }

    @Nested
    class Memory extends MemoryContract {
        @Override
        protected VerbsFixture open() {
            return fixture();
        }
    }
}
