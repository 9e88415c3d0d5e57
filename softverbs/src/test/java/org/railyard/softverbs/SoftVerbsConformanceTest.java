package org.railyard.softverbs;

import org.junit.jupiter.api.Nested;
import org.railyard.conformance.verbs.ConnectionContract;
import org.railyard.conformance.verbs.ErrorContract;
import org.railyard.conformance.verbs.MemoryContract;
import org.railyard.conformance.verbs.TransferContract;
import org.railyard.conformance.verbs.VerbsFixture;
import org.railyard.testkit.Requirement;

/** The simulated fabric keeps the contract of verbs providers. */
@Requirement("sv-003")
class SoftVerbsConformanceTest {
    @Nested
    @Requirement("sv-001")
    class Connections extends ConnectionContract {
        @Override
        protected VerbsFixture open() {
            return new SoftVerbsFixture();
        }
    }

    @Nested
    class Transfers extends TransferContract {
        @Override
        protected VerbsFixture open() {
            return new SoftVerbsFixture();
        }
    }

    @Nested
    class Errors extends ErrorContract {
        @Override
        protected VerbsFixture open() {
            return new SoftVerbsFixture();
        }
    }

    @Nested
    @Requirement({"sv-004", "sv-005"})
    class Memory extends MemoryContract {
        @Override
        protected VerbsFixture open() {
            return new SoftVerbsFixture();
        }
    }
}
