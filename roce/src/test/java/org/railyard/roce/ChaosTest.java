package org.railyard.roce;

import org.railyard.conformance.verbs.VerbsFixture;
import org.railyard.conformance.verbs.chaos.ChaosContract;

/** RoCE by seeds: small and large packets, on networks that are poor from the beginning or at times. */
class ChaosTest extends ChaosContract {
    private static final int SMALL_MTU = 1500;
    private static final int LARGE_MTU = 4200;

    @Override
    protected VerbsFixture open(long seed) {
        return new VirtualWorld(seed, seed % 3 == 0 ? LARGE_MTU : SMALL_MTU, seed % 2 == 0);
    }
}
