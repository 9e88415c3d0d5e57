package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.FabricBuilder;
import org.railyard.fabric.model.FabricBuilder.NodeBuilder;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.proof.CheckReport.Fault;
import org.railyard.fabric.proof.CheckReport.FaultKind;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/** Check and verifier beside each copy of each multicast packet, followed by itself, on networks of a few switches. */
final class MulticastCopiesTest {
    private static final int ROUNDS = 30;

    private static Routing routing(SmallNetwork network, SplittableRandom random, int kind) {
        TreeMap<Integer, MulticastTables.Tree> trees = new TreeMap<>();
        for (int group = random.nextInt(3); group >= 0; group--) {
            int sl = random.nextInt(3);
            trees.put(0xC000 + group, new MulticastTables.Tree(sl, EachCopy.masks(network, random, kind)));
        }
        // No unicast: nothing has an entry.
        byte[][] rows = new byte[network.fabric().switchCount()][0];
        return new Routing(
                "groups",
                new ForwardingTables(rows),
                PathSls.constant(0),
                network.vls(1 + random.nextInt(4), random.nextInt(3) == 0),
                new MulticastTables(trees),
                List.of());
    }

    @Test
    void aTreeMayBeAsDeepAsThereAreSwitches() {
        int switches = 40_000;
        FabricBuilder builder = new FabricBuilder();
        List<NodeBuilder> line = new ArrayList<>();
        PortMask[] masks = new PortMask[switches];
        Arrays.fill(masks, PortMask.of(1, 2));
        for (int i = 0; i < switches; i++) {
            line.add(builder.node(NodeType.SWITCH, 0x200000L + i, 2, "S-" + i));
            if (i > 0) {
                builder.connect(line.get(i - 1), 2, line.get(i), 1);
            }
        }
        builder.connect(line.getFirst(), 1, builder.node(NodeType.CA, 0x100, 1, "first"), 1);
        builder.connect(line.getLast(), 2, builder.node(NodeType.CA, 0x110, 1, "last"), 1);
        Fabric fabric = FreshLids.assign(builder.build(), Fabric.NONE);
        Routing routing = new Routing(
                "group",
                new ForwardingTables(new byte[switches][0]),
                PathSls.constant(0),
                SlToVl.uniform(SlToVl.ALL_ZERO),
                new MulticastTables(new TreeMap<>(Map.of(0xC000, new MulticastTables.Tree(0, masks)))),
                List.of());
        CheckReport report = CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT);
        assertThat(Verification.firstViolationOfWhatIsRouted(
                        fabric,
                        routing,
                        CheckOptions.DEFAULT,
                        report.certificate().orElseThrow()))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void theCheckFindsEachWaitOfEachCopy(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int rings = 0;
        int trees = 0;
        for (int round = 0; round < ROUNDS; round++) {
            SmallNetwork network = new SmallNetwork(random, 3 + random.nextInt(5), 2 + random.nextInt(6));
            Routing routing = routing(network, random, round % 3);
            CheckOptions options =
                    CheckOptions.DEFAULT.withSwitchPorts(random.nextBoolean()).withHostChannels(random.nextInt(3) == 0);
            EachCopy copies = new EachCopy(network.fabric(), List.of(routing.slToVl()), options);
            copies.follow(routing.multicast());
            CheckReport report = CreditLoopCheck.check(network.fabric(), routing, options);
            List<Fault> faults = faults(network.fabric(), routing, options);
            assertThat(faults)
                    .allSatisfy(fault -> assertThat(fault.text())
                            .matches(
                                    fault.kind() == FaultKind.FORWARDING_LOOP
                                            ? "multicast 0xC00\\d: its cables close a ring, packets may go round"
                                            : "S-\\d drops multicast 0xC00\\d from \\S+ sl \\d "
                                                    + "\\(VL 15 towards port \\d\\)"));
            boolean ring = faults.stream().anyMatch(fault -> fault.kind() == FaultKind.FORWARDING_LOOP);
            if (ring) {
                rings++;
            } else {
                trees++;
                assertThat(copies.goesRound()).isFalse();
                assertThat(Arrays.stream(report.graph().edges()).boxed().toList())
                        .isEqualTo(List.copyOf(copies.edges()));
                assertThat(faults.isEmpty()).isEqualTo(!copies.drops());
                report.certificate()
                        .ifPresent(
                                certificate -> verify(network.fabric(), routing, options, certificate, copies.edges()));
            }
            if (copies.goesRound()) {
                assertThat(Verification.firstViolationOfWhatIsRouted(
                                network.fabric(), routing, options, allNumbered(network.fabric())))
                        .isPresent();
            }
        }
        assertThat(rings).isPositive();
        assertThat(trees).isPositive();
    }

    private static List<Fault> faults(Fabric fabric, Routing routing, CheckOptions options) {
        FaultLog faults = new FaultLog();
        SourceGroups sources = new SourceGroups(fabric, routing.sls(), routing.slToVl(), options);
        MulticastWalk walk =
                new MulticastWalk(fabric, List.of(routing.slToVl()), sources, options, new DependencyGraph(), faults);
        for (int mlid : routing.multicast().mlids()) {
            MulticastTables.Tree tree = routing.multicast().tree(mlid);
            if (tree != null) {
                walk.add(mlid, tree);
            }
        }
        return faults.kept();
    }

    /** A number for each channel between switches, ascending with the channels. */
    private static Certificate allNumbered(Fabric fabric) {
        int[] channels = new int[fabric.portCount() * Channel.VLS];
        Arrays.setAll(channels, i -> i);
        return new Certificate(channels, channels.clone());
    }

    private static void verify(
            Fabric fabric, Routing routing, CheckOptions options, Certificate certificate, Set<Long> edges) {
        assertThat(Verification.firstViolationOfWhatIsRouted(fabric, routing, options, certificate))
                .isEmpty();
        // A few of them: each takes four checks.
        for (long edge : edges.stream().skip(edges.size() / 2).limit(3).toList()) {
            int from = (int) (edge >>> 32);
            int to = (int) edge;
            if (EachFlow.isCable(fabric, from) && EachFlow.isCable(fabric, to)) {
                for (Certificate wrong : EachFlow.wrong(certificate, from, to)) {
                    assertThat(Verification.firstViolationOfWhatIsRouted(fabric, routing, options, wrong))
                            .isPresent();
                }
            }
        }
    }
}
