package org.railyard.itest.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;

/**
 * How long transfers with the kernel's {@code rdma_rxe} take, one at a time, when none, one or five of a hundred
 * packets are lost and as many doubled, in each direction. Every byte is compared; the times are printed, for a
 * comparison of two versions on one machine, and not judged. {@code -Drailyard.rxe.seconds} says how long each kind is
 * measured.
 */
@EnabledIfSystemProperty(
        named = "railyard.long",
        matches = "true",
        disabledReason = "a whole machine is interpreted: only with -Plong")
@NeedsRoot
@NeedsCommand({"ip", "qemu-system-x86_64", "gcc", "busybox", "cpio", "rdma", "tc"})
final class RdmaRxeTimesTest {
    private static final int PORT = 7471;
    private static final int BYTES = 1 << 20;
    private static final int LEAST = 3;
    private static final int MOST = 1000;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(Integer.getInteger("railyard.rxe.seconds", 10));

    @TempDir
    private Path folder = Path.of("");

    @ParameterizedTest
    @ValueSource(ints = {1500, 4200})
    void withAndWithoutLoss(int mtu) throws IOException {
        Namespace.deleteLeftOvers();
        try (Namespace namespace = new Namespace();
                RxeGuest guest = new RxeGuest(namespace, Files.createTempDirectory(folder, "times"), mtu)) {
            guest.peer("listen " + PORT);
            guest.await("listening");
            try (NodeProcess node = new NodeProcess(namespace, VerbsProgram.class, RxeGuest.NEIGHBOUR)) {
                assertThat(node.ask("connect " + RxeGuest.ADDRESS + " " + PORT + " times"))
                        .startsWith("established");
                for (int percent : new int[] {0, 1, 5}) {
                    guest.lose(percent);
                    String where = "rdma_rxe, MTU " + mtu + ", " + percent + " % lost: ";
                    measure(node, where + "write of 1 MiB", "write " + BYTES + " 1", "written, all as it should be");
                    measure(node, where + "fetch of 1 MiB", "fetch " + BYTES + " 1", "all as it should be");
                    measure(node, where + "8 messages of 4 KiB and back", "echo 4096 8", "echoed 8");
                }
                guest.lose(0);
                assertThat(node.ask("disconnect")).isEqualTo("disconnected");
            }
        }
    }

    private static void measure(NodeProcess node, String what, String question, String answer) {
        List<Long> times = new ArrayList<>();
        long end = System.nanoTime() + LIMIT_NANOS;
        while (times.size() < LEAST || times.size() < MOST && end - System.nanoTime() > 0) {
            long start = System.nanoTime();
            assertThat(node.ask(question)).isEqualTo(answer);
            times.add(System.nanoTime() - start);
        }
        Collections.sort(times);
        double mean = times.stream().mapToLong(Long::longValue).average().orElseThrow();
        System.out.printf(
                Locale.ROOT,
                "%s: %d times, median %.1f ms, mean %.1f ms, most %.1f ms%n",
                what,
                times.size(),
                times.get(times.size() / 2) / 1e6,
                mean / 1e6,
                times.getLast() / 1e6);
    }
}
