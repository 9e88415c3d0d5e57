package org.railyard.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.railyard.base.host.Worker;

/** A duty that fails is tried again, whatever it throws. */
final class ThreadWorkerTest {
    @Test
    void anErrorDoesNotEndTheThread() throws InterruptedException {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch failed = new CountDownLatch(1);
        CountDownLatch again = new CountDownLatch(1);
        try (Worker worker = new RealHost().startWorker("worker under test", now -> {
            if (runs.getAndIncrement() == 0) {
                failed.countDown();
                throw new OutOfMemoryError("the first time");
            }
            again.countDown();
            return now + 3_600_000_000_000L;
        })) {
            assertThat(failed.await(30, TimeUnit.SECONDS)).isTrue();
            worker.wake();
            assertThat(again.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
