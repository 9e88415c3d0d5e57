package org.railyard.sm.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.railyard.sm.role.Managers.PATIENCE;
import static org.railyard.sm.role.Managers.SECOND;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.smp.PortState;
import org.railyard.sm.SweepReport;
import org.railyard.sm.role.Managers.One;

/**
 * Three subnet managers that die, end, come back, lose their cables and their MADs, in any order: in the end the
 * highest of those that live is master, the others stand by, and the subnet is right. At no time does one that is not
 * master write.
 */
class StandbyChaosTest {
    private static final SampleTorus TORUS = SampleTorus.torus(2, 3, 2, 1);
    private static final List<String> HOSTS = List.of("H-0.0.0.0", "H-1.1.1.0", "H-0.2.1.0");
    private static final int EVENTS = 12;
    private static final long MANY = 2000;
    private static final long FEW = 12;

    private final List<String> story = new ArrayList<>();

    static LongStream seeds() {
        long count = Long.getLong("railyard.sm.seeds", Boolean.getBoolean("railyard.long") ? MANY : FEW);
        long first = Long.getLong("railyard.sm.firstSeed", 1);
        return LongStream.range(first, first + count);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void oneMasterInTheEnd(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Managers managers = new Managers(TORUS, random.nextLong());
        List<One> live = new ArrayList<>();
        List<Integer> priorities = new ArrayList<>();
        for (String host : HOSTS) {
            priorities.add(random.nextInt(3));
            live.add(managers.start(host, priorities.getLast()));
            managers.subnet.loop().runFor(random.nextLong(5 * SECOND));
        }
        for (int event = 0; event < EVENTS; event++) {
            happens(managers, random, live, priorities);
            managers.subnet.loop().runFor(random.nextLong(20 * SECOND));
            standbysWroteNothing(managers);
        }
        managers.subnet.loss(0);
        for (int port = 0; port < managers.fabric.portCount(); port++) {
            managers.subnet.relink(port);
        }
        // Whoever saw nothing of it looks again at the latest with the next light sweep.
        managers.subnet.loop().runFor(30 * SECOND);
        One highest = highest(live, priorities);
        assertThat(managers.settle(highest))
                .as(
                        "seed %d: %s; %s",
                        seed,
                        story,
                        managers.all.stream()
                                .filter(one -> !one.isDead)
                                .map(one -> one.host + " " + one.roles + " " + one.reports.getLast())
                                .toList())
                .isTrue();
        check(managers, highest);
    }

    /** Two masters, of which each took the bits away that would have told the other one. */
    @Test
    void twoMastersFindEachOther() {
        oneMasterInTheEnd(2_003_558);
    }

    /** One that was cut off comes back, writes while another one takes over, and dies. */
    @Test
    void whatAMasterWroteDuringATakeoverIsFound() {
        oneMasterInTheEnd(30_027_494);
    }

    /** It ends while a higher one does not answer whether it takes over. */
    @ParameterizedTest
    @ValueSource(longs = {10_053_164, 10_059_932, 10_071_480})
    void aMasterEndsInTheMiddleOfAHandover(long seed) {
        oneMasterInTheEnd(seed);
    }

    private static One highest(List<One> live, List<Integer> priorities) {
        One best = live.getFirst();
        for (int i = 1; i < live.size(); i++) {
            int against = priorities.get(live.indexOf(best));
            boolean wins = priorities.get(i) != against
                    ? priorities.get(i) > against
                    : live.get(i).port.port().portGuid() < best.port.port().portGuid();
            best = wins ? live.get(i) : best;
        }
        return best;
    }

    private void happens(Managers managers, SplittableRandom random, List<One> live, List<Integer> priorities) {
        int which = random.nextInt(live.size());
        One one = live.get(which);
        int port = managers.port(one.host);
        int kind = random.nextInt(7);
        story.add("%.3f: %s %s"
                .formatted(
                        managers.subnet.loop().nanoTime() / 1e9,
                        List.of("kill", "leave", "unlink", "relink", "unlink switch port", "loss", "relink")
                                .get(kind),
                        one.host));
        switch (kind) {
            case 0 -> {
                one.kill();
                priorities.set(which, random.nextInt(3));
                live.set(which, managers.start(one.host, priorities.get(which)));
            }
            case 1 -> {
                boolean[] ended = {false};
                managers.subnet.loop().execute(() -> one.master.leave(() -> ended[0] = true));
                assertThat(managers.subnet.loop().runUntil(() -> ended[0], PATIENCE))
                        .as("%s ends", one.host)
                        .isTrue();
                one.isDead = true;
                one.port.close();
                live.set(which, managers.start(one.host, priorities.get(which)));
            }
            case 2 -> managers.subnet.unlink(port);
            case 3, 6 -> managers.subnet.relink(port);
            case 4 -> managers.subnet.unlink(anyCable(managers.fabric, random));
            default -> managers.subnet.loss(random.nextInt(20) / 100.0);
        }
    }

    private static int anyCable(Fabric fabric, SplittableRandom random) {
        while (true) {
            int port = random.nextInt(fabric.portCount());
            if (fabric.peer(port) != Fabric.NONE) {
                return port;
            }
        }
    }

    private static void standbysWroteNothing(Managers managers) {
        for (One one : managers.all) {
            for (int i = 0; i < one.reports.size(); i++) {
                if (one.reports.get(i).result() == SweepReport.Result.STANDBY) {
                    assertThat(one.reports.get(i).phases()).isEmpty();
                }
            }
        }
    }

    private static void check(Managers managers, One master) {
        assertThat(managers.masterLids()).containsExactly(master.lid());
        assertThat(managers.lids()).doesNotHaveDuplicates();
        for (int port = 0; port < managers.fabric.portCount(); port++) {
            if (managers.fabric.peer(port) != Fabric.NONE) {
                assertThat(managers.info(port).state()).isEqualTo(PortState.ACTIVE);
            }
        }
    }
}
