package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/** A line of switches, the last without a host: of each destination, whatever is said wrong of a switch is found. */
final class LineClaimsTest {
    private static final int SWITCHES = 6;
    private static final int UP = 3;
    private static final int DOWN = 4;

    private final Fabric fabric = line();
    private final Routing routing = routing(RuledSls.byLid(fabric, (_, _, _) -> 0));

    /** Two hosts at each switch but the last, which has none. */
    private static Fabric line() {
        FabricBuilder builder = new FabricBuilder();
        FabricBuilder.NodeBuilder before = builder.node(NodeType.SWITCH, 1, UP + 1, "S-0");
        for (int sw = 1; sw <= SWITCHES; sw++) {
            for (int host = 1; host <= 2; host++) {
                String name = "H-" + (sw - 1) + "." + host;
                builder.connect(before, host, builder.node(NodeType.CA, 100L * sw + host, 1, name), 1);
            }
            if (sw < SWITCHES) {
                FabricBuilder.NodeBuilder next = builder.node(NodeType.SWITCH, 1L + sw, DOWN, "S-" + sw);
                builder.connect(before, DOWN, next, UP);
                before = next;
            }
        }
        FabricBuilder.NodeBuilder last = builder.node(NodeType.SWITCH, 1L + SWITCHES, DOWN, "S-" + SWITCHES);
        builder.connect(before, DOWN, last, UP);
        return FreshLids.assign(builder.build(), Fabric.NONE);
    }

    private byte[][] rows() {
        byte[][] rows = new byte[fabric.switchCount()][fabric.maxLid() + 1];
        for (int port : fabric.hosts()) {
            for (int sw = 0; sw < rows.length; sw++) {
                int to = fabric.switchOf(port);
                rows[sw][fabric.lid(port)] = (byte) (sw == to ? fabric.switchPortOf(port) : sw < to ? DOWN : UP);
            }
        }
        return rows;
    }

    private Routing routing(PathSls sls) {
        return new Routing(
                "line", new ForwardingTables(rows()), sls, SlToVl.uniform(0), MulticastTables.NONE, List.of());
    }

    private interface Change {
        /** Changes what is said of a destination; false if nothing is to be said of it. */
        boolean in(int lid, byte[] column, char[] leaving);
    }

    private Optional<String> violation(Change change) {
        return violation(routing, change);
    }

    private Optional<String> violation(Routing of, Change change) {
        CertificateVerifier verifier = new CertificateVerifier(fabric, of, false);
        CheckReport report = CreditLoopCheck.check(fabric, of, CheckOptions.DEFAULT, (lid, column, leaving) -> {
            byte[] ports = column.clone();
            char[] sls = leaving.clone();
            if (change.in(lid, ports, sls)) {
                verifier.to(lid, ports, sls);
            }
        });
        return verifier.firstViolation(report.certificate().orElseThrow());
    }

    private int[] lids() {
        return fabric.hosts().stream().mapToInt(fabric::lid).toArray();
    }

    @Test
    void eachDestinationHasToBeNamed() {
        TreeSet<Integer> named = new TreeSet<>();
        assertThat(violation((lid, _, _) -> named.add(lid))).isEmpty();
        assertThat(named)
                .containsExactlyElementsOf(
                        Arrays.stream(lids()).boxed().sorted().toList());
        for (int silent : lids()) {
            assertThat(violation((lid, _, _) -> lid != silent)).hasValue("nothing was said of LID " + silent);
        }
    }

    @Test
    void whatLeavesASwitchHasToBeSaid() {
        int last = SWITCHES;
        for (int victim : lids()) {
            int to = fabric.switchOf(fabric.portOfLid(victim));
            for (int sw = 0; sw < last; sw++) {
                int silent = sw;
                Optional<String> found = violation((lid, _, leaving) -> {
                    leaving[silent] = lid == victim ? 0 : leaving[silent];
                    return true;
                });
                if (sw == to) {
                    assertThat(found).as("it arrives there").isEmpty();
                } else {
                    assertThat(found)
                            .hasValueSatisfying(text -> assertThat(text)
                                    .startsWith("packets to LID " + victim + " leave S-" + silent + "/")
                                    .endsWith("by SLs of which nothing was said: 1 of 1"));
                }
            }
        }
    }

    /** Both hosts of a switch are reached alike, but for the SL of one sender, of which nothing is said. */
    @Test
    void theSlOfEachSenderHasToBeSaid() {
        int lowest = Arrays.stream(lids()).min().orElseThrow();
        for (int victim : lids()) {
            for (int sender : lids()) {
                int at = fabric.switchOf(fabric.portOfLid(sender));
                if (at == fabric.switchOf(fabric.portOfLid(victim))) {
                    continue;
                }
                PathSls sls = new RuledSls(
                        1,
                        fabric.maxLid() + 1,
                        lid -> lid - lowest,
                        (from, to, _) -> from == sender - lowest && to == victim - lowest ? 1 : 0);
                Optional<String> found = violation(routing(sls), (_, _, leaving) -> {
                    for (int sw = 0; sw < leaving.length; sw++) {
                        leaving[sw] = (char) (leaving[sw] & 1);
                    }
                    return true;
                });
                assertThat(found)
                        .hasValueSatisfying(text -> assertThat(text)
                                .startsWith("packets to LID " + victim + " leave S-" + at + "/")
                                .endsWith("by SLs of which nothing was said: 2 of 2"));
            }
        }
    }

    /** Of two hosts that are reached by the same VLs one stands for both, whichever port their packets come by. */
    @Test
    void hostsBehindOtherVlsAreDestinationsOfTheirOwn() {
        int first = fabric.lid(fabric.peer(fabric.portIndex(2, 1)));
        int second = fabric.lid(fabric.peer(fabric.portIndex(2, 2)));
        for (int input : new int[] {0, UP, DOWN}) {
            for (int vl : new int[] {0, 1}) {
                SlToVl vls = new SlToVl() {
                    @Override
                    public long table(int switchIndex, int in, int out) {
                        return SlToVl.uniform(switchIndex == 2 && in == input && out == 2 ? vl : 0)
                                .table(switchIndex, in, out);
                    }

                    @Override
                    public long endTable(int endPort) {
                        return 0;
                    }
                };
                Routing twoHosts = SmallNetwork.routing(rows(), PathSls.constant(0), vls);
                Optional<String> found = violation(twoHosts, (lid, _, _) -> lid != Math.max(first, second));
                if (vl == 0) {
                    assertThat(found).isEmpty();
                } else {
                    assertThat(found).hasValue("nothing was said of LID " + Math.max(first, second));
                }
            }
        }
    }

    /** Nobody sends anything by the last switch: only the comparison of entries finds those that are made up. */
    @Test
    void entriesThatNobodyUsesAreCompared() {
        for (int victim : lids()) {
            for (int entry : new int[] {0, 1, DOWN, 0xFF}) {
                assertThat(violation((lid, column, _) -> {
                            column[SWITCHES] = lid == victim ? (byte) entry : column[SWITCHES];
                            return true;
                        }))
                        .hasValue("entries for LID %d are not those of the tables".formatted(victim));
            }
        }
    }

    @Test
    void eachEntryThatIsMadeUpIsFound() {
        for (int victim : lids()) {
            for (int sw = 0; sw <= SWITCHES; sw++) {
                int at = sw;
                assertThat(violation((lid, column, _) -> {
                            column[at] ^= (byte) (lid == victim ? 1 : 0);
                            return true;
                        }))
                        .isPresent();
            }
        }
    }

    /** One entry leads to a host that is not meant, back, on, or nowhere: what differs is found for each flow. */
    @Test
    void eachWrongEntryIsFound() {
        EachFlow flows = new EachFlow();
        for (int victim : lids()) {
            for (int sw = 0; sw <= SWITCHES; sw += 2 + victim % 2) {
                for (int entry = 0; entry <= DOWN + 1; entry++) {
                    byte[][] rows = rows();
                    rows[sw][victim] = (byte) entry;
                    Routing wrong = new Routing(
                            "wrong",
                            new ForwardingTables(rows),
                            routing.sls(),
                            routing.slToVl(),
                            MulticastTables.NONE,
                            List.of());
                    flows.compare(fabric, wrong, CheckOptions.DEFAULT);
                }
            }
        }
    }
}
