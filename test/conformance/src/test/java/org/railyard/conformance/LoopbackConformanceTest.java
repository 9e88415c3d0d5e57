package org.railyard.conformance;

/** {@code 0@lo} keeps the contract, as far as it can be asked to. */
class LoopbackConformanceTest extends LndConformance {
    @Override
    protected LndFixture open() {
        return new LoopbackFixture();
    }
}
