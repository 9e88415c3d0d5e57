package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.model.Fabric;
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

    private final Set<Long> edges = new TreeSet<>();
    private boolean goesRound;
    private boolean drops;

    // The packet at hand.
    private final Set<Integer> taken = new TreeSet<>();

    private void follow(Fabric fabric, Routing routing, CheckOptions options) {
        for (int mlid : routing.multicast().mlids()) {
            MulticastTables.Tree tree = routing.multicast().tree(mlid);
            for (int port = 0; tree != null && port < fabric.portCount(); port++) {
                if (SourceGroups.isSource(fabric, port, options)) {
                    taken.clear();
                    int input = fabric.switchPortOf(port);
                    int held = options.hostChannels() && input != 0 ? Channel.number(port, 0) : -1;
                    copies(fabric, routing, options, tree, fabric.switchOf(port), input, held);
                }
            }
        }
    }

    private void copies(
            Fabric fabric,
            Routing routing,
            CheckOptions options,
            MulticastTables.Tree tree,
            int sw,
            int input,
            int held) {
        for (int out = 1; out <= fabric.ports(sw); out++) {
            int peer = fabric.peer(fabric.portIndex(sw, out));
            if (!tree.ports(sw).contains(out) || out == input || peer == Fabric.NONE) {
                continue;
            }
            int vl = SlToVl.vl(routing.slToVl().table(sw, input, out), tree.sl());
            boolean last = !fabric.isSwitch(fabric.nodeOf(peer));
            drops |= vl == SlToVl.DROP;
            if (vl == SlToVl.DROP || last && !options.hostChannels()) {
                continue;
            }
            int wanted = Channel.number(fabric.portIndex(sw, out), vl);
            if (held >= 0) {
                edges.add((long) held << 32 | wanted);
            }
            if (!last && !taken.add(wanted)) {
                goesRound = true;
            } else if (!last) {
                copies(fabric, routing, options, tree, fabric.nodeOf(peer), fabric.portNumber(peer), wanted);
            }
        }
    }

    /** Ports of a tree or of several, of one that lacks some, or any. */
    private static PortMask[] masks(SmallNetwork network, SplittableRandom random, int kind) {
        Fabric fabric = network.fabric();
        PortMask[] masks = new PortMask[fabric.switchCount()];
        Arrays.fill(masks, PortMask.EMPTY);
        int[] part = new int[masks.length];
        Arrays.setAll(part, i -> i);
        for (int i = 0; i < 8 * masks.length; i++) {
            int sw = random.nextInt(masks.length);
            int out = 1 + random.nextInt(fabric.ports(sw));
            int to = network.behind(sw, out);
            boolean more = random.nextInt(16) < kind;
            if (to < 0 || more) {
                // A host, an empty port, or what is none of the tree.
                masks[sw] = masks[sw].with(out);
            } else if (part[sw] != part[to]) {
                int merged = part[to];
                int into = part[sw];
                Arrays.setAll(part, each -> part[each] == merged ? into : part[each]);
                masks[sw] = masks[sw].with(out);
                if (random.nextInt(16) >= kind) {
                    masks[to] = masks[to].with(fabric.portNumber(fabric.peer(fabric.portIndex(sw, out))));
                }
            }
        }
        return masks;
    }

    private static Routing routing(SmallNetwork network, SplittableRandom random, int kind) {
        TreeMap<Integer, MulticastTables.Tree> trees = new TreeMap<>();
        for (int group = random.nextInt(3); group >= 0; group--) {
            int sl = random.nextInt(3);
            trees.put(0xC000 + group, new MulticastTables.Tree(sl, masks(network, random, kind)));
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
            edges.clear();
            goesRound = false;
            drops = false;
            follow(network.fabric(), routing, options);
            CheckReport report = CreditLoopCheck.check(network.fabric(), routing, options);
            List<Fault> faults = faults(network.fabric(), routing, options);
            boolean ring = faults.stream().anyMatch(fault -> fault.kind() == FaultKind.FORWARDING_LOOP);
            if (ring) {
                rings++;
            } else {
                trees++;
                assertThat(goesRound).isFalse();
                assertThat(Arrays.stream(report.graph().edges()).boxed().toList())
                        .isEqualTo(List.copyOf(edges));
                assertThat(faults.isEmpty()).isEqualTo(!drops);
                report.certificate().ifPresent(certificate -> verify(network.fabric(), routing, options, certificate));
            }
            if (goesRound) {
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

    private void verify(Fabric fabric, Routing routing, CheckOptions options, Certificate certificate) {
        assertThat(Verification.firstViolationOfWhatIsRouted(fabric, routing, options, certificate))
                .isEmpty();
        for (long edge : edges) {
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
