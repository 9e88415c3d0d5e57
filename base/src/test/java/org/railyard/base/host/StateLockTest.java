package org.railyard.base.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A lock counts how often it was taken. */
class StateLockTest {
    private final StateLock lock = new StateLock();

    private long takings() {
        lock.lock();
        try {
            assertThat(lock.takings()).isEqualTo(lock.takings());
            return lock.takings();
        } finally {
            lock.unlock();
        }
    }

    @Test
    void eachTakingHasItsNumber() {
        assertThat(takings()).isEqualTo(1);
        assertThat(takings()).isEqualTo(2);
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.takings()).isEqualTo(3);
        lock.unlock();
        assertThatThrownBy(lock::takings).isInstanceOf(AssertionError.class);
    }

    @Test
    void aThreadThatWaitedHasAnotherOne() throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        Thread other = Thread.ofPlatform().start(() -> {
            lock.lock();
            try {
                over.set(true);
                lock.signal();
            } finally {
                lock.unlock();
            }
        });
        lock.lock();
        try {
            long before = lock.takings();
            boolean waits = !over.get();
            lock.awaitUntil(over::get);
            assertThat(lock.takings()).isGreaterThanOrEqualTo(waits ? before + 2 : before);
        } finally {
            lock.unlock();
        }
        other.join();
    }
}
