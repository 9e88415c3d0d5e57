package org.railyard.lab.net;

import org.railyard.conformance.LndConformance;
import org.railyard.conformance.LndFixture;
import org.railyard.lnet.nid.NetType;

/** The simulated transport keeps the contract, as one that completes when the connection has taken a message. */
class SimLndConformanceTest extends LndConformance {
    @Override
    protected LndFixture open() {
        return new SimLndFixture(NetType.TCP, 0, 0);
    }
}
