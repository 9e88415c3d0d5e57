package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.TestNetwork;
import org.railyard.lnet.wire.MessageType;
import org.railyard.testkit.Requirement;

/** Failures cost health, the healthiest path is taken, recovery pings give health back. */
class HealthTest {
    private static final Nid B0 = Nid.parse("10.0.0.2@tcp");
    private static final Nid B1 = Nid.parse("10.0.1.2@tcp");

    private static int healthOf(LNet node, Nid peer) {
        return node.peers().stream()
                .flatMap(known -> known.nis().stream())
                .filter(ni -> ni.nid().equals(peer))
                .findFirst()
                .orElseThrow()
                .health();
    }

    @Test
    @Requirement({"rsl-066", "rsl-131"})
    void aPeerNiThatDoesNotAnswerIsAvoidedPingedAndComesBack() {
        try (TestNetwork net = new TestNetwork()) {
            LNet a = net.node("10.0.0.1@tcp", "10.0.1.1@tcp");
            LNet b = net.node("10.0.0.2@tcp", "10.0.1.2@tcp");
            b.attach(
                    MeConfig.any(33),
                    MdConfig.of(Arena.ofAuto().allocate(8)).withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE));
            net.await(a.discover(B0, false));
            assertThat(healthOf(a, B1)).isEqualTo(1000);

            net.lose(packet -> packet.header().destNid().equals(B1));
            for (int i = 0; i < 2; i++) {
                a.put(ProcessId.of(B0), 33, 1, Arena.ofAuto().allocate(8));
            }
            net.settle();
            net.pass(151);
            assertThat(healthOf(a, B1)).isLessThan(1000);
            assertThat(healthOf(a, B0)).isEqualTo(1000);

            net.takeLog();
            for (int i = 0; i < 6; i++) {
                net.await(a.put(ProcessId.of(B0), 33, 1, Arena.ofAuto().allocate(8)));
            }
            assertThat(net.takeLog().stream().filter(packet -> packet.header().type() == MessageType.PUT))
                    .allMatch(packet -> packet.header().destNid().equals(B0));

            net.lose(packet -> false);
            net.pass(20);
            assertThat(healthOf(a, B1)).isEqualTo(1000);
            assertThat(net.takeLog().stream().filter(packet -> packet.header().type() == MessageType.GET))
                    .as("recovery pings go to the very NID")
                    .isNotEmpty()
                    .allMatch(packet -> packet.header().destNid().equals(B1));
            net.takeLog();
            net.pass(5);
            assertThat(net.takeLog()).as("no ping to one that is well").isEmpty();
        }
    }
}
