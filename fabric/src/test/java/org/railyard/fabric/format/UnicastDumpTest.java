package org.railyard.fabric.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.Reader;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.engine.MinHopEngine;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sample.SampleTorus;

/** Hops in {@code opensm.fdbs} beside those that are counted pair by pair, and by relaxation. */
final class UnicastDumpTest {
    private static final int FAR = 1 << 20;

    private static Fabric torus(int lmc) {
        Fabric whole = FreshLids.assign(SampleTorus.torus(5, 3, 1, 1).fabric(), Fabric.NONE, lmc);
        BitSet down = new BitSet();
        // A host, a cable between switches, and all cables of a switch.
        down.set(whole.hosts().getFirst());
        down.set(whole.portIndex(4, 2));
        down.set(whole.portIndex(7, 1), whole.portIndex(7, whole.ports(7)) + 1);
        return whole.withLinksDown(down);
    }

    /** Follows a packet from a switch; -1 if it does not come to the port. */
    private static int walk(Fabric fabric, ForwardingTables tables, int start, int lid) {
        int end = fabric.portOfLid(lid);
        int sw = start;
        for (int hops = 0; hops <= fabric.switchCount(); hops++) {
            int output = tables.port(sw, lid);
            if (output > fabric.ports(sw)) {
                return -1;
            }
            int port = fabric.portIndex(sw, output);
            if (output == 0 || fabric.peer(port) == end) {
                return output == 0 ? (port == end ? hops : -1) : hops + 1;
            }
            int peer = fabric.peer(port);
            if (peer == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(peer))) {
                return -1;
            }
            sw = fabric.nodeOf(peer);
        }
        return -1;
    }

    /** Returns the fewest hops from each port of a switch, or of a host, to each switch. */
    private static int[][] distances(Fabric fabric) {
        int switches = fabric.switchCount();
        int[][] far = new int[switches][switches];
        for (int sw = 0; sw < switches; sw++) {
            Arrays.fill(far[sw], FAR);
            far[sw][sw] = 0;
            for (int number = 1; number <= fabric.ports(sw); number++) {
                int peer = fabric.peer(fabric.portIndex(sw, number));
                if (peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer))) {
                    far[sw][fabric.nodeOf(peer)] = 1;
                }
            }
        }
        for (int by = 0; by < switches; by++) {
            for (int from = 0; from < switches; from++) {
                for (int to = 0; to < switches; to++) {
                    far[from][to] = Math.min(far[from][to], far[from][by] + far[by][to]);
                }
            }
        }
        return far;
    }

    private static int check(Fabric fabric, ForwardingTables tables) {
        int[][] distances = distances(fabric);
        int known = 0;
        List<UnicastDump.SwitchTable> switches =
                UnicastDump.parse(UnicastDump.text(fabric, tables)).switches();
        assertThat(switches).hasSize(fabric.switchCount());
        for (UnicastDump.SwitchTable table : switches) {
            int sw = fabric.nodeOfGuid(table.guid());
            assertThat(table.entries()).hasSize(fabric.maxLid());
            for (UnicastDump.Entry entry : table.entries()) {
                int lid = entry.lid();
                int hops = walk(fabric, tables, sw, lid);
                assertThat(entry.port()).isEqualTo(tables.port(sw, lid));
                assertThat(entry.hops()).as("%d to LID %d", sw, lid).isEqualTo(hops);
                if (hops >= 0) {
                    int end = fabric.portOfLid(lid);
                    int best = distances[sw][fabric.switchOf(end)] + (fabric.switchPortOf(end) == 0 ? 0 : 1);
                    assertThat(entry.best()).as("%d to LID %d", sw, lid).isEqualTo(best);
                    known++;
                }
            }
        }
        return known;
    }

    @Test
    void hopsOfShortestWaysAreTheFewest() {
        for (int lmc : new int[] {0, 2}) {
            Fabric fabric = torus(lmc);
            Routing routing = (Routing) new MinHopEngine().route(fabric, EngineOptions.DEFAULT);
            // 14 switches are there, and 13 hosts.
            assertThat(check(fabric, routing.forwarding())).isEqualTo(14 * (14 + (13 << lmc)));
            String text = UnicastDump.text(fabric, routing.forwarding());
            assertThat(text).contains(" : yes\n", " : UNREACHABLE\n").doesNotContain("UNKNOWN", "No ");
        }
    }

    @Test
    void waysThatAreLongerGoRoundOrLeadNowhereAreTold() {
        Fabric fabric = torus(0);
        Routing routing = (Routing) new MinHopEngine().route(fabric, EngineOptions.DEFAULT);
        int known = 0;
        for (int seed = 0; seed < 30; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            byte[][] rows = new byte[fabric.switchCount()][fabric.maxLid() + 1];
            for (int sw = 0; sw < rows.length; sw++) {
                for (int lid = 1; lid < rows[sw].length; lid++) {
                    // A port beyond the last one, too.
                    rows[sw][lid] = (byte)
                            (random.nextInt(4) > 0
                                    ? routing.forwarding().port(sw, lid)
                                    : random.nextInt(fabric.ports(sw) + 2));
                }
            }
            ForwardingTables tables = new ForwardingTables(rows);
            known += check(fabric, tables);
            assertThat(UnicastDump.text(fabric, tables)).contains(" : HOPS UNKNOWN\n", " hop path possible via port ");
        }
        assertThat(known).isPositive();
    }

    @Test
    void aTableThatComesTwiceOrHasAPortTooManyIsRefused() {
        Fabric fabric = torus(0);
        String head = "dump_ucast_routes: Switch 0x%016x\n".formatted(fabric.guid(0));
        String other = "dump_ucast_routes: Switch 0xabcd\n0x0001 : 200  : 01   : yes\n";
        ForwardingTables read = UnicastDump.parse(Reader.of(head + "0x0001 : 003  : 01   : yes\n" + other), fabric);
        assertThat(read.port(0, 1)).isEqualTo(3);
        assertThat(read.port(0, 2)).isEqualTo(ForwardingTables.NO_PATH);
        assertThat(read.port(1, 1)).isEqualTo(ForwardingTables.NO_PATH);
        for (String wrong : List.of(
                head + other + head,
                head + "0x0001 : 00%d  : 01   : yes\n".formatted(fabric.ports(0) + 1),
                "dump_ucast_routes: Switch 0x%016x\n".formatted(fabric.guid(fabric.switchCount())))) {
            assertThatExceptionOfType(FormatException.class)
                    .isThrownBy(() -> UnicastDump.parse(Reader.of(wrong), fabric))
                    .satisfies(e -> {
                        assertThat(e.line()).isEqualTo((int) wrong.lines().count());
                        assertThat(e.column()).isEqualTo(1);
                    });
        }
    }
}
