package org.railyard.itest.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.itest.netns.Namespace;
import org.railyard.itest.netns.NodeProcess;
import org.railyard.itest.netns.NodeProgram;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;
import org.railyard.testkit.Requirement;

/**
 * The provider for real cards on libibverbs, librdmacm and the kernel's {@code rdma_rxe}: the contract of verbs and
 * that of LNet over InfiniBand, also with memory of messages in a cache and by windows; two cards bonded, of which one
 * loses its link and is taken out; limits; and LNet over RoCE of this machine at the other end (spec 24 §11). Needs
 * {@code libibverbs1}, {@code librdmacm1} and {@code ibverbs-providers} of this machine; the kernel is taken from
 * {@code /}, or from the folder that {@code -Drailyard.rxe.kernel} names.
 */
@EnabledIfSystemProperty(
        named = "railyard.long",
        matches = "true",
        disabledReason = "a whole machine is interpreted: only with -Plong")
@NeedsRoot
@NeedsCommand({"ip", "qemu-system-x86_64", "busybox", "cpio", "rdma", "setpriv"})
final class RxeCardsTest {
    private static final int LIMIT_MINUTES = 40;

    @TempDir
    private Path folder = Path.of("");

    private static String[] names(Class<?>... suites) {
        return Stream.of(suites).map(Class::getName).toArray(String[]::new);
    }

    private static void assertGood(List<String> said, int suites) {
        assertThat(said).noneMatch(line -> line.startsWith("failed: "));
        assertThat(said.stream().filter(line -> line.matches("suite Rxe\\w+: [1-9][0-9]* good, 0 failed")))
                .as("suites that ended well")
                .hasSize(suites);
    }

    /** Returns a line for the shell. */
    private static String suites(Class<?>... suites) {
        return CardGuest.java(SuiteProgram.class) + " " + String.join(" ", names(suites)) + "\n";
    }

    private void run(Class<?>... suites) throws IOException, InterruptedException {
        try (CardGuest guest = new CardGuest(folder)) {
            assertGood(guest.java(SuiteProgram.class, names(suites)), suites.length);
        }
    }

    @Test
    @Timeout(value = LIMIT_MINUTES, unit = TimeUnit.MINUTES)
    @Requirement("ibv-020")
    void verbsAndTransportKeepTheirContracts() throws IOException, InterruptedException {
        run(RxeMemorySuite.class, RxeVerbsSuite.class, RxeLndSuite.class, RxeCachedLndSuite.class);
    }

    @Test
    @Timeout(value = LIMIT_MINUTES, unit = TimeUnit.MINUTES)
    void theSameWithMemoryWindows() throws IOException, InterruptedException {
        run(RxeWindowVerbsSuite.class, RxeWindowLndSuite.class);
    }

    /** In this order: the card that is taken out is not there again. */
    @Test
    @Timeout(value = LIMIT_MINUTES, unit = TimeUnit.MINUTES)
    void aBondOutlivesALinkAndACard() throws IOException, InterruptedException {
        try (CardGuest guest = new CardGuest(folder)) {
            assertGood(guest.script(RxeQuota.ENTER + suites(RxeLostLinkSuite.class, RxeLostCardSuite.class)), 2);
        }
    }

    @Test
    @Timeout(value = LIMIT_MINUTES, unit = TimeUnit.MINUTES)
    @Requirement("ibv-031")
    void limitsAreTold() throws IOException, InterruptedException {
        try (CardGuest guest = new CardGuest(folder)) {
            // With its path: some shells prefer one of their own, which can not do this.
            String unprivileged = "/usr/bin/setpriv --bounding-set=-ipc_lock ";
            assertGood(guest.script("ulimit -l 1024\n" + unprivileged + suites(RxeMemoryLimitSuite.class)), 1);
            assertGood(guest.script("ulimit -l 32768\n" + unprivileged + suites(RxeScarceMemorySuite.class)), 1);
            assertGood(guest.script(RxeQuota.ENTER + suites(RxeScarceCardSuite.class, RxeQuotaSuite.class)), 2);
        }
    }

    /** LNet by the card of the guest, and as RoCE over UDP on this machine; each of them begins the talk once. */
    @Test
    @Timeout(value = LIMIT_MINUTES, unit = TimeUnit.MINUTES)
    void aCardAndRoceTalk() throws IOException, InterruptedException {
        Namespace.deleteLeftOvers();
        String here = CardGuest.NEIGHBOUR + "@o2ib";
        String there = CardGuest.THIRD + "@o2ib";
        try (Namespace namespace = new Namespace()) {
            CardGuest.layCable(namespace);
            try (CardGuest guest = new CardGuest(folder, namespace)) {
                for (boolean guestBegins : new boolean[] {true, false}) {
                    try (NodeProcess node = new NodeProcess(namespace.java(NodeProgram.class, "1/60", here))) {
                        guest.start(NodeProgram.class, "1/60", NodeProgram.BY_CARD + there);
                        for (boolean guestAsks : new boolean[] {guestBegins, !guestBegins}) {
                            String question = "transfer " + (guestAsks ? here : there) + " " + (1 << 20) + " 2";
                            assertThat(guestAsks ? guest.ask(question) : node.ask(question))
                                    .isEqualTo("done 8 repeated 0 wrong 0");
                        }
                        assertThat(node.ask("received")).isEqualTo("good 4 bad 0");
                        assertThat(guest.ask("received")).isEqualTo("good 4 bad 0");
                        guest.stop();
                    }
                }
            }
        }
    }
}
