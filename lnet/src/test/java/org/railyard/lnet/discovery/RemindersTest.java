package org.railyard.lnet.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.host.StateLock;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.nid.Nid;

/** When discovery comes back to peers by itself (spec 11 §2, §5). */
class RemindersTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long START = 5 * SECOND;

    private final StateLock lock = new StateLock();
    private final Reminders reminders = new Reminders(lock);
    private final Peer peer = new Peer(Nid.parse("10.0.0.9@tcp"));

    @BeforeEach
    void hold() {
        lock.lock();
    }

    @AfterEach
    void release() {
        lock.unlock();
    }

    private List<Peer> due(long now) {
        List<Peer> due = new ArrayList<>();
        reminders.due(now, due::add);
        return due;
    }

    /** Returns after how many seconds a peer that was just put down comes back. */
    private int seconds(long from) {
        for (int seconds = 0; seconds < 1000; seconds++) {
            assertThat(due(from + seconds * SECOND - 1)).isEmpty();
            if (!due(from + seconds * SECOND).isEmpty()) {
                assertThat(due(from + 1000 * SECOND)).as("once").isEmpty();
                return seconds;
            }
        }
        return -1;
    }

    @Test
    void pushesAreRepeatedAtGrowingIntervalsTenTimes() {
        List<Integer> waits = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            reminders.pushFailed(peer, START);
            waits.add(seconds(START));
        }
        assertThat(waits).containsExactly(2, 4, 8, 16, 32, 60, 60, 60, 60, 60, -1);
        reminders.forget(peer);
        reminders.pushFailed(peer, START);
        assertThat(seconds(START)).as("what succeeded counts no more").isEqualTo(2);
    }

    @Test
    void aPeerThatIsUpToDateIsNotComeBackTo() {
        reminders.pushFailed(peer, START);
        reminders.forget(peer);
        assertThat(seconds(START)).isEqualTo(-1);
    }

    @Test
    void aPeerThatLosesNidsAgainAndAgainIsAskedFiveTimes() {
        long now = START;
        for (int i = 0; i < 5; i++) {
            reminders.nidLost(peer, now);
            reminders.nidLost(peer, now);
            assertThat(seconds(now)).isEqualTo(2);
            now += 2 * SECOND;
        }
        reminders.nidLost(peer, now);
        assertThat(seconds(now)).isEqualTo(-1);
        reminders.nidLost(peer, now + Reminders.FORGET_NANOS - 1);
        assertThat(seconds(now + Reminders.FORGET_NANOS - 1))
                .as("not long enough ago")
                .isEqualTo(-1);
        reminders.nidLost(peer, now + Reminders.FORGET_NANOS);
        assertThat(seconds(now + Reminders.FORGET_NANOS)).as("forgotten").isEqualTo(2);
    }
}
