package org.railyard.ibverbs;

import org.railyard.conformance.verbs.VerbsConformance;
import org.railyard.conformance.verbs.VerbsFixture;

/** Memory windows of type 2 keep the contract of regions that work requests register (spec 24 §8.3). */
class WindowVerbsTest extends VerbsConformance {
    @Override
    protected VerbsFixture open() {
        return new StandInWorld(MemoryMode.WINDOW, machine -> machine.windows(true));
    }
}
