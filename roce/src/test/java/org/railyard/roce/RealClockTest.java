package org.railyard.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.railyard.roce.net.UdpDatagrams;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.VerbsClock;
import org.railyard.verbs.VerbsProvider;

/** The time of cards over real sockets is that of the machine. */
class RealClockTest {
    private static final long DELAY = 3_000_000;

    @Test
    @Requirement("sv-002")
    void timersFollowTheTimeOfTheMachine() throws InterruptedException, ExecutionException, TimeoutException {
        try (UdpWorld world = new UdpWorld(UdpDatagrams::new)) {
            VerbsProvider provider = world.provider(0);
            VerbsClock clock = provider.clock();
            long before = System.nanoTime();
            long start = clock.nanoTime();
            assertThat(start).isBetween(before, System.nanoTime());
            CompletableFuture<Long> rang = new CompletableFuture<>();
            try (EventLoop loop = provider.createEventLoop("clock")) {
                loop.schedule(DELAY, () -> rang.complete(clock.nanoTime()));
                assertThat(rang.get(30, TimeUnit.SECONDS) - start).isGreaterThanOrEqualTo(DELAY);
            }
        }
    }
}
