package org.railyard.roce;

import org.railyard.conformance.verbs.VerbsConformance;
import org.railyard.conformance.verbs.VerbsFixture;
import org.railyard.roce.net.linux.LinuxDatagrams;
import org.railyard.testkit.Requirement;

/** The provider keeps the contract, over real sockets, with many packets in a call. */
@Requirement({"sv-001", "sv-003", "sv-004", "sv-005", "sv-040"})
class LinuxConformanceTest extends VerbsConformance {
    @Override
    protected VerbsFixture open() {
        return new UdpWorld(() -> LinuxDatagrams.open(() -> 0));
    }
}
