package org.railyard.lab.net;

import org.railyard.conformance.LndConformance;
import org.railyard.conformance.LndFixture;
import org.railyard.lnet.nid.NetType;

/**
 * It keeps the contract on rails that lose and repeat frames, as one that completes when the other side has
 * acknowledged.
 */
class LossyLndConformanceTest extends LndConformance {
    @Override
    protected LndFixture open() {
        return new SimLndFixture(NetType.O2IB, 0.02, 0.05);
    }
}
