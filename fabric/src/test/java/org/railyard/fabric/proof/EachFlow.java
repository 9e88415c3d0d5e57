package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckReport.FaultKind;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/** Each flow of some tables walked by itself, and what check and verifier say beside it. */
final class EachFlow {
    private final Set<Long> edges = new TreeSet<>();
    private final Map<Long, Set<Flow>> waiting = new HashMap<>();
    private boolean arrive = true;
    private boolean circle;

    /** Walks all flows hop by hop. */
    private void walkAll(Fabric fabric, Routing routing, CheckOptions options) {
        for (int source = 1; source <= fabric.maxLid(); source++) {
            for (int destination = 1; destination <= fabric.maxLid(); destination++) {
                int from = fabric.portOfLid(source);
                int to = fabric.portOfLid(destination);
                if (from != to
                        && from != Fabric.NONE
                        && to != Fabric.NONE
                        && SourceGroups.isSource(fabric, from, options)
                        && SourceGroups.isSource(fabric, to, options)) {
                    for (int hint = 0; hint < 8 * routing.sls().levels(); hint += 8) {
                        int sl = routing.sls().sl(source, destination, hint);
                        walk(fabric, routing, options, source, destination, sl);
                    }
                }
            }
        }
    }

    private void walk(Fabric fabric, Routing routing, CheckOptions options, int source, int destination, int sl) {
        int port = fabric.portOfLid(source);
        int sw = fabric.switchOf(port);
        int input = fabric.switchPortOf(port);
        long held = !options.hostChannels() || input == 0 || sl == PathSls.NO_SL
                ? -1
                : Channel.number(port, SlToVl.vl(routing.slToVl().endTable(port), sl));
        for (int hops = 0; sl != PathSls.NO_SL; hops++) {
            if (hops > fabric.switchCount()) {
                circle = true;
                break;
            }
            int output = routing.forwarding().port(sw, destination);
            int far = output > fabric.ports(sw) ? Fabric.NONE : fabric.peer(fabric.portIndex(sw, output));
            boolean there = sw == fabric.switchOf(fabric.portOfLid(destination))
                    && output == fabric.switchPortOf(fabric.portOfLid(destination));
            if (there && output == 0) {
                return;
            }
            boolean on = far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far));
            if (!there && !on) {
                break;
            }
            int vl = SlToVl.vl(routing.slToVl().table(sw, input, output), sl);
            if (vl == SlToVl.DROP) {
                break;
            }
            if (there && !options.hostChannels()) {
                return;
            }
            long wanted = Channel.number(fabric.portIndex(sw, output), vl);
            if (held >= 0) {
                edges.add(held << 32 | wanted);
                waiting.computeIfAbsent(held << 32 | wanted, _ -> new HashSet<>())
                        .add(new Flow(source, destination, sl));
            }
            if (there) {
                return;
            }
            held = wanted;
            sw = fabric.nodeOf(far);
            input = fabric.portNumber(far);
        }
        arrive = false;
    }

    /** Compares check and verifier with the walks. */
    void compare(Fabric fabric, Routing routing, CheckOptions options) {
        edges.clear();
        waiting.clear();
        arrive = true;
        circle = false;
        walkAll(fabric, routing, options);
        CheckReport report = CreditLoopCheck.check(fabric, routing, options);
        if (!circle) {
            // What goes round is a fault, and not followed.
            assertThat(Arrays.stream(report.graph().edges()).boxed().toList()).isEqualTo(List.copyOf(edges));
        }
        // Entries that go round are told of, also where nobody sends.
        assertThat(report.faults().stream().allMatch(fault -> fault.kind() == FaultKind.FORWARDING_LOOP))
                .isEqualTo(arrive);
        boolean isRoundTold = report.faults().stream().anyMatch(fault -> fault.kind() == FaultKind.FORWARDING_LOOP);
        assertThat(isRoundTold || !circle || report.faults().size() == CheckReport.MAX_FAULTS)
                .isTrue();
        new FaultWords(fabric, routing, options).assertTrue(report);
        for (CreditLoop loop : report.loops()) {
            for (int i = 0; i < loop.waits().size(); i++) {
                int held = loop.waits().get(i).channel().number();
                int wanted = loop.waits()
                        .get((i + 1) % loop.waits().size())
                        .channel()
                        .number();
                assertThat(waiting.get((long) held << 32 | wanted))
                        .contains(loop.waits().get(i).flow());
            }
        }
        if (!circle) {
            report.certificate().ifPresent(certificate -> verify(fabric, routing, options, certificate));
        }
    }

    /** The certificate holds, and no longer when the numbers of an edge do not rise. */
    private void verify(Fabric fabric, Routing routing, CheckOptions options, Certificate certificate) {
        assertThat(Verification.firstViolationOfWhatIsRouted(fabric, routing, options, certificate))
                .isEmpty();
        assertThat(Verification.firstViolation(fabric, routing, options, certificate)
                        .isEmpty())
                .isEqualTo(arrive);
        SplittableRandom random = new SplittableRandom(edges.size());
        // Channels from and to end ports are on no cycle, and not looked at.
        List<Long> all = edges.stream()
                .filter(edge -> isCable(fabric, (int) (edge >> 32)) && isCable(fabric, edge.intValue()))
                .toList();
        for (int i = 0; i < Math.min(3, all.size()); i++) {
            long edge = all.get(random.nextInt(all.size()));
            for (Certificate wrong : wrong(certificate, (int) (edge >> 32), (int) edge)) {
                assertThat(Verification.firstViolationOfWhatIsRouted(fabric, routing, options, wrong))
                        .isPresent();
            }
        }
    }

    static boolean isCable(Fabric fabric, int channel) {
        int port = Channel.portOf(channel);
        return fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.nodeOf(fabric.peer(port)));
    }

    /** Returns certificates in which an edge does not lead to a larger number: falling, equal, without one of both. */
    static List<Certificate> wrong(Certificate certificate, int from, int to) {
        int low = certificate.number(Channel.portOf(from), Channel.vlOf(from));
        int high = certificate.number(Channel.portOf(to), Channel.vlOf(to));
        return List.of(
                with(certificate, Map.of(from, high, to, low)),
                with(certificate, Map.of(to, low)),
                with(certificate, Map.of(from, Certificate.NONE)),
                with(certificate, Map.of(to, Certificate.NONE)));
    }

    /** Returns a certificate with other numbers of some channels, which it lacks for {@link Certificate#NONE}. */
    private static Certificate with(Certificate certificate, Map<Integer, Integer> others) {
        int[] channels = new int[certificate.size()];
        int[] numbers = new int[certificate.size()];
        int count = 0;
        for (int i = 0; i < channels.length; i++) {
            Channel channel = certificate.channel(i);
            int number = others.getOrDefault(channel.number(), certificate.number(channel.port(), channel.vl()));
            if (number != Certificate.NONE) {
                channels[count] = channel.number();
                numbers[count++] = number;
            }
        }
        return new Certificate(Arrays.copyOf(channels, count), Arrays.copyOf(numbers, count));
    }
}
