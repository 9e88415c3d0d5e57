package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/** A port and itself: packets of its neighbours count, its own do not, whatever LIDs it has. */
final class SelfRoutesTest {
    private static final String LINE = """
        Switch 4 "S-a"
        [1] "H-1"[1]
        [2] "H-2"[1]
        [3] "S-b"[1]

        Switch 4 "S-b"
        [1] "S-a"[3]
        [2] "S-c"[1]

        Switch 4 "S-c"
        [1] "S-b"[2]

        Ca 1 "H-1"
        [1] "S-a"[1]

        Ca 1 "H-2"
        [1] "S-a"[2]
        """;

    private static Fabric line(int lmc) {
        return FreshLids.assign(NetFile.parse(LINE).fabric(), Fabric.NONE, lmc);
    }

    private static int host(Fabric fabric, String name) {
        return fabric.portIndex(node(fabric, name), 1);
    }

    private static int node(Fabric fabric, String name) {
        for (int node = 0; node < fabric.nodeCount(); node++) {
            if (fabric.description(node).equals(name)) {
                return node;
            }
        }
        throw new IllegalArgumentException(name);
    }

    /** Hosts deliver each other's packets, but the first host's are sent away from its switch, and end at S-c. */
    private static Routing sentAway(Fabric fabric, PathSls sls) {
        byte[][] rows = new byte[fabric.switchCount()][fabric.maxLid() + 1];
        for (byte[] row : rows) {
            Arrays.fill(row, (byte) ForwardingTables.NO_PATH);
        }
        int first = host(fabric, "H-1");
        int second = host(fabric, "H-2");
        for (int i = 0; i < 1 << fabric.lmc(first); i++) {
            rows[node(fabric, "S-a")][fabric.lid(first) + i] = 3;
            rows[node(fabric, "S-b")][fabric.lid(first) + i] = 2;
            rows[node(fabric, "S-a")][fabric.lid(second) + i] = 2;
            rows[node(fabric, "S-b")][fabric.lid(second) + i] = 1;
            rows[node(fabric, "S-c")][fabric.lid(second) + i] = 1;
        }
        return new Routing(
                "by hand", new ForwardingTables(rows), sls, SlToVl.uniform(0), MulticastTables.NONE, List.of());
    }

    @Test
    void aGroupOfSendersReachesItsOwnRepresentative() {
        Fabric fabric = line(0);
        CheckReport report = CreditLoopCheck.check(fabric, sentAway(fabric, PathSls.constant(0)), CheckOptions.DEFAULT);
        assertThat(report.dependencies()).isEqualTo(1);
        assertThat(report.faults())
                .singleElement()
                .satisfies(fault -> assertThat(fault.text()).contains("from H-2", "to H-1", "it ends at S-c"));
        assertThat(report.faultCount()).isEqualTo(1);
    }

    @Test
    void theVerifierSeesThatFlowToo() {
        Fabric fabric = line(0);
        Routing routing = sentAway(fabric, PathSls.constant(0));
        int first = fabric.portIndex(node(fabric, "S-a"), 3);
        int second = fabric.portIndex(node(fabric, "S-b"), 2);
        Certificate right = certificate(first, 0, second, 1);
        Certificate wrong = certificate(first, 1, second, 0);
        assertThat(Verification.firstViolationOfWhatIsRouted(fabric, routing, CheckOptions.DEFAULT, right))
                .isEmpty();
        assertThat(Verification.firstViolationOfWhatIsRouted(fabric, routing, CheckOptions.DEFAULT, wrong))
                .hasValueSatisfying(text -> assertThat(text).contains("number 1 is followed by 0"));
    }

    private static Certificate certificate(int port, int number, int otherPort, int otherNumber) {
        return port < otherPort
                ? new Certificate(new int[] {port << 4, otherPort << 4}, new int[] {number, otherNumber})
                : new Certificate(new int[] {otherPort << 4, port << 4}, new int[] {otherNumber, number});
    }

    /** SLs of files often have none from a port to itself: no fault, by none of its LIDs. */
    @Test
    void aPortOfSeveralLidsNeedsNoRouteToItself() {
        Fabric fabric = line(2);
        PathSls others =
                new RuledSls(1, fabric.portCount(), fabric::portOfLid, (from, to, _) -> from == to ? PathSls.NO_SL : 0);
        for (boolean hostChannels : new boolean[] {false, true}) {
            CheckReport report = CreditLoopCheck.check(
                    fabric, sentAway(fabric, others), CheckOptions.DEFAULT.withHostChannels(hostChannels));
            // H-2 to each of the four LIDs of H-1.
            assertThat(report.faultCount()).isEqualTo(4);
            assertThat(report.faults())
                    .allSatisfy(fault -> assertThat(fault.text()).contains("from H-2"));
        }
    }
}
