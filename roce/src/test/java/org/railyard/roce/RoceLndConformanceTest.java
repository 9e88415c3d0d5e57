package org.railyard.roce;

import org.railyard.conformance.LndConformance;
import org.railyard.conformance.LndFixture;

/** The transport over InfiniBand keeps its contract on verbs over UDP. */
class RoceLndConformanceTest extends LndConformance {
    @Override
    protected LndFixture open() {
        return new RoceLndFixture();
    }
}
