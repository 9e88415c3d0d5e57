package org.railyard.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.railyard.testkit.NeedsCommand;

class CpuPlacementTest {
    private static final List<String> WORDS = List.of("iperf3", "-s");

    @Test
    void kernelsListOfCpusIsRead() {
        assertThat(CpuPlacement.parse("0-3,8")).containsExactly(0, 1, 2, 3, 8);
        assertThat(CpuPlacement.parse("5")).containsExactly(5);
    }

    @Test
    void eachSideHasHalfOfTheCpus() {
        List<Integer> allowed = List.of(0, 1, 4, 5, 6);
        assertThat(CpuPlacement.cpus(Side.RECEIVER, allowed)).isEqualTo("0,1");
        assertThat(CpuPlacement.cpus(Side.SENDER, allowed)).isEqualTo("4,5,6");
        assertThat(CpuPlacement.cpus(Side.SENDER, List.of(3))).isEqualTo("3");
        assertThat(CpuPlacement.cpus(Side.RECEIVER, List.of(3))).isEqualTo("3");
    }

    @Test
    void programsArePinnedByTheirCommand() {
        assertThat(CpuPlacement.FREE.command(Side.SENDER, WORDS)).isEqualTo(WORDS);
        assertThat(CpuPlacement.PINNED.command(Side.SENDER, WORDS))
                .containsExactly("taskset", "-c", CpuPlacement.cpus(Side.SENDER), "iperf3", "-s");
    }

    @Test
    @NeedsCommand("taskset")
    void threadIsPinnedWithWhatItStarts() throws Exception {
        FutureTask<List<String>> inner = new FutureTask<>(CpuPlacementTest::allowed);
        FutureTask<List<String>> outer = new FutureTask<>(() -> {
            CpuPlacement.PINNED.enter(Side.RECEIVER);
            Thread started = Thread.ofPlatform().start(inner);
            started.join();
            return allowed();
        });
        Thread.ofPlatform().start(outer);
        List<String> expected = CpuPlacement.parse(CpuPlacement.cpus(Side.RECEIVER)).stream()
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
        return CpuPlacement.parse(line.substring(line.indexOf(':') + 1).strip()).stream()
                .map(String::valueOf)
                .toList();
    }
}
