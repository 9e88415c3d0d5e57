package org.railyard.o2iblnd;

import org.railyard.conformance.LndConformance;
import org.railyard.conformance.LndFixture;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.softverbs.net.Fidelity;

/** The transport over InfiniBand keeps the contract when its peers speak version 1 of the protocol only. */
class OldVersionConformanceTest extends LndConformance {
    @Override
    protected LndFixture open() {
        return new O2ibFixture(
                node -> node == 0 ? Tunables.DEFAULT : Tunables.DEFAULT.with(O2ibTunable.PROTOCOL, 1),
                1,
                Fidelity.MESSAGE);
    }
}
