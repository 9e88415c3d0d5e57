package org.railyard.socklnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.RepeatedTest;
import org.railyard.host.RealHost;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.socklnd.tune.SockTunable;

/** Two nodes that begin at the same time. */
class RaceTest {
    private static final int MESSAGES = 20;

    @RepeatedTest(10)
    void bothDialAtOnce() throws Exception {
        Node.Ports ports = new Node.Ports();
        try (Node a = new Node(
                        "127.0.7.1@tcp",
                        ports,
                        new RealHost(),
                        builder -> builder.set(SockTunable.MIN_RECONNECT_MS, 10));
                Node b = new Node(
                        "127.0.7.2@tcp",
                        ports,
                        new RealHost(),
                        builder -> builder.set(SockTunable.MIN_RECONNECT_MS, 10))) {
            CyclicBarrier start = new CyclicBarrier(2);
            Thread left = Thread.ofPlatform().start(() -> send(start, a, b));
            Thread right = Thread.ofPlatform().start(() -> send(start, b, a));
            left.join();
            right.join();
            Await.until("all arrive", () -> a.stack.arrivals.size() == MESSAGES && b.stack.arrivals.size() == MESSAGES);
            Await.until(
                    "all complete",
                    () -> a.stack.completions.size() == MESSAGES && b.stack.completions.size() == MESSAGES);
            assertThat(a.stack.completions).allMatch(completion -> completion.health() == HealthStatus.OK);
            assertThat(b.stack.completions).allMatch(completion -> completion.health() == HealthStatus.OK);
        }
    }

    private static void send(CyclicBarrier start, Node from, Node to) {
        try {
            start.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        for (int i = 0; i < MESSAGES; i++) {
            from.put(to, i * 500, i);
        }
    }
}
