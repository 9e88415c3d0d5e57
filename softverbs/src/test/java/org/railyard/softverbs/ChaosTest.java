package org.railyard.softverbs;

import org.railyard.conformance.verbs.VerbsFixture;
import org.railyard.conformance.verbs.chaos.ChaosContract;
import org.railyard.softverbs.net.Fidelity;

/** The simulated fabric by seeds: messages travel whole, or packets each by itself. */
class ChaosTest extends ChaosContract {
    @Override
    protected VerbsFixture open(long seed) {
        return new SoftVerbsFixture(seed % 2 == 0 ? Fidelity.PACKET : Fidelity.MESSAGE, seed);
    }
}
