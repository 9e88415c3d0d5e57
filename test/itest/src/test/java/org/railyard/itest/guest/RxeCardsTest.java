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
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;
import org.railyard.testkit.Requirement;

/**
 * The provider for real cards on libibverbs, librdmacm and the kernel's {@code rdma_rxe}: the contract of verbs and
 * that of LNet over InfiniBand, the latter also with memory of messages in a cache (spec 24 §11). Needs
 * {@code libibverbs1}, {@code librdmacm1} and {@code ibverbs-providers} of this machine; the kernel is taken from
 * {@code /}, or from the folder that {@code -Drailyard.rxe.kernel} names.
 */
@EnabledIfSystemProperty(
        named = "railyard.long",
        matches = "true",
        disabledReason = "a whole machine is interpreted: only with -Plong")
@NeedsRoot
@NeedsCommand({"qemu-system-x86_64", "busybox", "cpio", "rdma"})
final class RxeCardsTest {
    private static final int LIMIT_MINUTES = 40;

    @TempDir
    private Path folder = Path.of("");

    @Test
    @Timeout(value = LIMIT_MINUTES, unit = TimeUnit.MINUTES)
    @Requirement("ibv-020")
    void verbsAndTransportKeepTheirContracts() throws IOException, InterruptedException {
        try (CardGuest guest = new CardGuest(folder)) {
            String[] suites = Stream.of(
                            RxeMemorySuite.class, RxeVerbsSuite.class, RxeLndSuite.class, RxeCachedLndSuite.class)
                    .map(Class::getName)
                    .toArray(String[]::new);
            List<String> said = guest.java(SuiteProgram.class, suites);
            assertThat(said).noneMatch(line -> line.startsWith("failed: "));
            assertThat(said.stream().filter(line -> line.matches("suite Rxe\\w+: [1-9][0-9]* good, 0 failed")))
                    .as("suites that ended well")
                    .hasSameSizeAs(suites);
        }
    }
}
