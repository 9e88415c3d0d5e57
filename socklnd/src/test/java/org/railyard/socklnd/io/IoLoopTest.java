package org.railyard.socklnd.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.SelectionKey;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a loop sleeps. Its time stands still until the test says otherwise. */
@Timeout(60)
class IoLoopTest {
    private static final long BUSY_NANOS = 20_000;
    private static final long LOOK_NANOS = 100_000;

    private final AtomicLong now = new AtomicLong();
    private final AtomicLong looks = new AtomicLong();
    private final IoLoop busy = new IoLoop("busy", BUSY_NANOS, () -> {
        looks.incrementAndGet();
        return now.get();
    });

    @AfterEach
    void stop() {
        busy.stop();
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private static void runTask(IoLoop loop) throws InterruptedException {
        runTask(loop, () -> {});
    }

    private static void runTask(IoLoop loop, Runnable task) throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        loop.execute(() -> {
            task.run();
            ran.countDown();
        });
        ran.await();
    }

    @Test
    void looksForMoreUntilTheTimeIsOver() throws Exception {
        long before = looks.get();
        await(() -> looks.get() > before + 1000);
        assertThat(busy.isAsleep()).isFalse();
        runTask(busy);
        awaitSleep();
    }

    /** Lets time pass until it sleeps: it may begin to look anew after the first time. */
    private void awaitSleep() {
        await(() -> {
            now.addAndGet(BUSY_NANOS);
            return busy.isAsleep();
        });
    }

    @Test
    void isWokenFromItsSleepAndLooksAgain() throws Exception {
        awaitSleep();
        long before = looks.get();
        runTask(busy);
        await(() -> looks.get() > before + 1000);
        assertThat(busy.isAsleep()).isFalse();
    }

    @Test
    void sleepsAtOnceByDefault() throws Exception {
        IoLoop plain = new IoLoop("plain", 0, () -> {
            throw new AssertionError("asks for the time");
        });
        try {
            runTask(plain);
            await(plain::isAsleep);
        } finally {
            plain.stop();
        }
    }

    @Test
    void whatWasHandedOverIsDoneBeforeItEnds() throws Exception {
        IoLoop ending = new IoLoop("a loop that ends");
        CountDownLatch done = new CountDownLatch(2);
        LoopClient client = new LoopClient() {
            @Override
            public void runHanded() {
                done.countDown();
                ending.execute(done::countDown);
            }

            @Override
            public void ready(SelectionKey key) {}

            @Override
            public void flushCorked() {}

            @Override
            public void abandon(Throwable cause) {}
        };
        runTask(ending, () -> {
            ending.hand(client);
            ending.stop();
        });
        ending.stop();
        assertThat(done.getCount()).isZero();
    }
}
