package org.railyard.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.api.RoceSettings;
import org.railyard.roce.net.Datagrams;
import org.railyard.roce.net.LocalInterface;
import org.railyard.softverbs.time.VirtualHost;
import org.railyard.softverbs.time.VirtualTime;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.card.cm.Reach;

/** How long a thread looks for more before it sleeps. */
class BusyPollTest {
    private static final long SETTLE_NANOS = 50_000_000;

    /** So long a turn takes in virtual time. */
    private static final long TURN_NANOS = 1000;

    private final VirtualTime time = new VirtualTime();
    private final MemoryNet net = new MemoryNet(time);
    private final List<Long> sleeps = new ArrayList<>();

    /** A network that notes when somebody begins to wait. */
    private final class Noting implements Datagrams {
        private final Datagrams below = net.machine();

        @Override
        public Socket open(LocalInterface at, int udpPort, RoceCounters counters) {
            return below.open(at, udpPort, counters);
        }

        @Override
        public Link look(LocalInterface which) {
            return below.look(which);
        }

        @Override
        public Reach reach(LocalInterface from, int ip) {
            return below.reach(from, ip);
        }

        @Override
        public void attach(Runnable wake) {
            below.attach(wake);
        }

        @Override
        public boolean await(long nanos) {
            sleeps.add(time.now());
            return below.await(nanos);
        }

        @Override
        public void wakeup() {
            below.wakeup();
        }

        @Override
        public void close() {
            below.close();
        }
    }

    /** Returns how long after a task the thread sleeps, ns. */
    private long untilSleep(long busyPollNanos) {
        try (RoceProvider provider = new RoceProvider(
                new VirtualHost(time, new SplittableRandom(1), 0),
                new Noting(),
                List.of(new LocalInterface("eth0", "eth0", VirtualWorld.ip(0), 24, 1500)),
                RoceSettings.DEFAULT.withBusyPoll(busyPollNanos))) {
            EventLoop loop = provider.createEventLoop("busy");
            time.run(SETTLE_NANOS);
            sleeps.clear();
            List<Long> ran = new ArrayList<>();
            loop.execute(() -> ran.add(time.now()));
            time.run(SETTLE_NANOS);
            return sleeps.getFirst() - ran.getFirst();
        }
    }

    @Test
    void itSleepsAtOnceByDefault() {
        assertThat(untilSleep(0)).isLessThanOrEqualTo(TURN_NANOS);
    }

    @ParameterizedTest
    @ValueSource(longs = {20_000, 1_000_000})
    void itLooksForMoreForTheTimeItIsTold(long nanos) {
        assertThat(untilSleep(nanos)).isBetween(nanos, nanos + 2 * TURN_NANOS);
    }
}
