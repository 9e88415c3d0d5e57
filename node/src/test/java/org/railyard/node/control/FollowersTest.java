package org.railyard.node.control;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.railyard.base.ErrnoException;

/** Places for clients that follow the events: few, and given back by all that go away. */
@Timeout(60)
final class FollowersTest {
    @Test
    void whoGoesAwayBeforeItIsServedGivesItsPlaceBack() {
        CountDownLatch end = new CountDownLatch(1);
        Runnable service = () -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        try (Followers followers = new Followers()) {
            for (int i = 0; i < 100 * Followers.MAX; i++) {
                followers.start(service).cancel(true);
            }
            for (int i = 0; i < Followers.MAX; i++) {
                followers.start(service);
            }
            assertThatThrownBy(() -> followers.start(service))
                    .isInstanceOf(ErrnoException.class)
                    .hasMessageContaining("16 clients follow the events already");
        }
    }
}
