package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/** Who may wait for whom, in sets of a cable each or one by one: what is said of it is the same. */
final class SeenWaitsTest {
    private static final int CASES = 40;
    private static final int SL = 3;

    private final SplittableRandom random = new SplittableRandom(9);
    private SmallNetwork network = new SmallNetwork(random, 3, 0);
    private Fabric fabric = network.fabric();

    private void next() {
        network = new SmallNetwork(random, 2 + random.nextInt(5), random.nextInt(5));
        fabric = network.fabric();
    }

    private SeenWaits waits(SlToVl slToVl, int maxSets) {
        Routing routing = SmallNetwork.routing(network.rows(0), PathSls.constant(SL), slToVl);
        return new SeenWaits(fabric, routing, maxSets);
    }

    private boolean isCable(int port) {
        int peer = fabric.peer(port);
        return peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.nodeOf(peer));
    }

    /** Returns the ports of a switch that lead to other switches. */
    private int[] cables(int sw) {
        return IntStream.rangeClosed(1, fabric.ports(sw))
                .map(port -> fabric.portIndex(sw, port))
                .filter(this::isCable)
                .toArray();
    }

    /** A wait of packets that came by a port. */
    private record Wait(int input, int port, int wanted) {}

    private List<Wait> all() {
        List<Wait> all = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int in = 0; in <= fabric.ports(sw); in++) {
                for (int port : cables(sw)) {
                    for (int wanted : cables(fabric.nodeOf(fabric.peer(port)))) {
                        all.add(new Wait(fabric.portIndex(sw, in), port, wanted));
                    }
                }
            }
        }
        return all;
    }

    /** One for each cable and kind of input, and in it one for each cable of the switch behind. */
    @Test
    void eachCableHasItsSetAsLongAsThereIsRoom() {
        for (int i = 0; i < CASES; i++) {
            next();
            SlToVl slToVl = network.vls(1 + random.nextInt(4), false);
            SeenWaits full = waits(slToVl, SeenWaits.MAX_SETS);
            int needed = 1;
            int largest = 0;
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                Set<List<Long>> kinds = new HashSet<>();
                for (int in = 0; in <= fabric.ports(sw); in++) {
                    List<Long> tables = new ArrayList<>();
                    for (int out = 0; out <= fabric.ports(sw); out++) {
                        tables.add(slToVl.table(sw, in, out));
                    }
                    boolean isNew = kinds.add(tables);
                    for (int out = 0; out <= fabric.ports(sw); out++) {
                        int port = fabric.portIndex(sw, out);
                        int place = full.waits[full.outputs[fabric.portIndex(sw, in)] + out];
                        assertThat(place > 0).isEqualTo(isCable(port));
                        int sets = isCable(port) ? 1 + cables(fabric.nodeOf(fabric.peer(port))).length : 0;
                        needed += isNew ? sets : 0;
                        largest = Math.max(largest, sets);
                    }
                }
            }
            assertThat(full.seen).hasSize(needed);
            assertThat(waits(slToVl, needed).seen).as("just enough").hasSize(needed);
            for (int most = 1; most < needed; most += 1 + needed / 20) {
                assertThat(waits(slToVl, most).seen.length)
                        .as("what is left does not fit")
                        .isBetween(most - largest + 1, most);
            }
        }
    }

    /** Numbers of cables, all on VL 0. */
    private CertificateNumbers numbers(int[] numberOfPort) {
        int[] ports =
                IntStream.range(0, fabric.portCount()).filter(this::isCable).toArray();
        int[] channels =
                IntStream.of(ports).map(port -> Channel.number(port, 0)).toArray();
        int[] numbers = IntStream.of(ports).map(port -> numberOfPort[port]).toArray();
        return new CertificateNumbers(fabric.portCount(), new Certificate(channels, numbers));
    }

    @Test
    void eachWaitHasToRiseHoweverItIsKept() {
        for (int i = 0; i < CASES; i++) {
            next();
            List<Wait> all = all();
            int[] numbers = new int[fabric.portCount()];
            for (int port = 0; port < numbers.length; port++) {
                numbers[port] = random.nextInt(10);
            }
            for (int maxSets : new int[] {1, 1 + random.nextInt(20), SeenWaits.MAX_SETS}) {
                SeenWaits waits = waits(SlToVl.uniform(0), maxSets);
                assertThat(waits.firstNotRising(numbers(numbers))).as("none").isEmpty();
                for (int j = 0; j < 10; j++) {
                    Wait one = all.get(random.nextInt(all.size()));
                    SeenWaits with = waits.withFewerCables(fabric);
                    with.add(one.input, one.port, one.wanted, 1 << SL);
                    boolean rises = numbers[one.port] < numbers[one.wanted];
                    assertThat(with.firstNotRising(numbers(numbers)).isEmpty()).isEqualTo(rises);
                    assertThat(with.firstNotRising(numbers(numbers)))
                            .isIn(
                                    Optional.empty(),
                                    Optional.of("SL %d: number %d is followed by %d at %s"
                                            .formatted(
                                                    SL,
                                                    numbers[one.port],
                                                    numbers[one.wanted],
                                                    fabric.portName(one.wanted))));
                    isForgottenWithItsCable(with, one, numbers);
                }
                assertThat(waits.firstNotRising(numbers(numbers)))
                        .as("copies do not change what they are of")
                        .isEmpty();
            }
        }
    }

    private void isForgottenWithItsCable(SeenWaits with, Wait one, int[] numbers) {
        for (int port : new int[] {one.port, one.wanted}) {
            BitSet down = new BitSet();
            down.set(port);
            assertThat(with.withFewerCables(fabric.withLinksDown(down)).firstNotRising(numbers(numbers)))
                    .isEmpty();
        }
    }
}
