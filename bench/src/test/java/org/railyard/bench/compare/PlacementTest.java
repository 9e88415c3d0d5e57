package org.railyard.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.railyard.testkit.NeedsCommand;

class PlacementTest {
    private static final List<String> WORDS = List.of("iperf3", "-s");

    @Test
    void kernelsListOfCpusIsRead() {
        assertThat(Placement.parse("0-3,8")).containsExactly(0, 1, 2, 3, 8);
        assertThat(Placement.parse("5")).containsExactly(5);
    }

    @Test
    void eachSideHasHalfOfTheCpus() {
        List<Integer> allowed = List.of(0, 1, 4, 5, 6);
        assertThat(Placement.cpus(Side.RECEIVER, allowed)).isEqualTo("0,1");
        assertThat(Placement.cpus(Side.SENDER, allowed)).isEqualTo("4,5,6");
        assertThat(Placement.cpus(Side.SENDER, List.of(3))).isEqualTo("3");
        assertThat(Placement.cpus(Side.RECEIVER, List.of(3))).isEqualTo("3");
    }

    @Test
    void programsArePinnedByTheirCommand() {
        assertThat(Placement.FREE.command(Side.SENDER, WORDS)).isEqualTo(WORDS);
        assertThat(Placement.PINNED.command(Side.SENDER, WORDS))
                .containsExactly("taskset", "-c", Placement.cpus(Side.SENDER), "iperf3", "-s");
    }

    @Test
    @NeedsCommand("taskset")
    void threadIsPinnedWithWhatItStarts() throws Exception {
        FutureTask<List<String>> inner = new FutureTask<>(PlacementTest::allowed);
        FutureTask<List<String>> outer = new FutureTask<>(() -> {
            Placement.PINNED.enter(Side.RECEIVER);
            Thread started = Thread.ofPlatform().start(inner);
            started.join();
            return allowed();
        });
        Thread.ofPlatform().start(outer);
        List<String> expected = Placement.parse(Placement.cpus(Side.RECEIVER)).stream()
                .map(String::valueOf)
                .toList();
        assertThat(outer.get()).isEqualTo(expected);
        assertThat(inner.get()).isEqualTo(expected);
    }

    private static List<String> allowed() throws Exception {
        String line = Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                .filter(each -> each.startsWith("Cpus_allowed_list:"))
                .findFirst()
                .orElseThrow();
        return Placement.parse(line.substring(line.indexOf(':') + 1).strip()).stream()
                .map(String::valueOf)
                .toList();
    }
}
