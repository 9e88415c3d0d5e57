package org.railyard.o2iblnd;

import org.railyard.conformance.LndConformance;
import org.railyard.conformance.LndFixture;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.softverbs.net.Fidelity;

/** The transport over InfiniBand keeps the contract when each packet travels by itself. */
class PacketConformanceTest extends LndConformance {
    @Override
    protected LndFixture open() {
        return new O2ibFixture(Tunables.DEFAULT, 1, Fidelity.PACKET);
    }
}
