package org.railyard.conformance.verbs;

import org.junit.jupiter.api.Nested;

/**
 * The whole contract of verbs providers: the test class of a provider extends this and says in what world it is tested.
 */
public abstract class VerbsConformance {
    /** For subclasses. */
    protected VerbsConformance() {}

    /** Returns the provider to test, with a world of its own. */
    protected abstract VerbsFixture open();

    @Nested
    class Connections extends ConnectionContract {
        @Override
        protected VerbsFixture open() {
            return VerbsConformance.this.open();
        }
    }

    @Nested
    class Transfers extends TransferContract {
        @Override
        protected VerbsFixture open() {
            return VerbsConformance.this.open();
        }
    }

    @Nested
    class Errors extends ErrorContract {
        @Override
        protected VerbsFixture open() {
            return VerbsConformance.this.open();
        }
    }

    @Nested
    class Memory extends MemoryContract {
        @Override
        protected VerbsFixture open() {
            return VerbsConformance.this.open();
        }
    }
}
