package org.railyard.socklnd.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a loop sleeps. Its time stands still until the test says otherwise. */
@Timeout(60)
class IoLoopTest {
    private static final long BUSY_NANOS = 20_000;

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

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            TimeUnit.MICROSECONDS.sleep(100);
        }
    }

    private static void runTask(IoLoop loop) throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        loop.execute(ran::countDown);
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
    private void awaitSleep() throws InterruptedException {
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
}
