package org.railyard.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.ibverbs.ffi.VerbsNumbers;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.VerbsDevice;

/** What libibverbs tells of a subnet whose paths may be others (spec 24 §6.1). */
final class PathEventsTest {
    private final LinkedBlockingQueue<AsyncEvent> events = new LinkedBlockingQueue<>();

    private List<AsyncEvent.Type> told(StandInWorld world, int type) throws InterruptedException {
        EventLoop loop = world.provider(0).createEventLoop("test");
        VerbsDevice device = world.provider(0).devices().getFirst();
        loop.call(() -> device.listen(loop, (_, event) -> events.add(event)));
        world.machine(0).raise(type, 1);
        // What comes behind shows that nothing else did.
        world.machine(0).raise(VerbsNumbers.ASYNC_PORT_ERROR, 1);
        List<AsyncEvent.Type> told = new ArrayList<>();
        AsyncEvent.Type next = next();
        while (next != AsyncEvent.Type.PORT_ERROR) {
            told.add(next);
            next = next();
        }
        return told;
    }

    private AsyncEvent.Type next() throws InterruptedException {
        AsyncEvent event = events.poll(30, TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        assertThat(event.port()).isEqualTo(1);
        return event.type();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {VerbsNumbers.ASYNC_LID_CHANGE, VerbsNumbers.ASYNC_SM_CHANGE, VerbsNumbers.ASYNC_CLIENT_REREGISTER})
    void anotherLidOrManagerAndOneThatAsksMayMeanOtherPaths(int type) throws InterruptedException {
        try (StandInWorld world = new StandInWorld()) {
            assertThat(told(world, type)).containsExactly(AsyncEvent.Type.PORT_ACTIVE, AsyncEvent.Type.PATHS_CHANGED);
        }
    }

    @Test
    void otherPartitionsMeanTheSamePaths() throws InterruptedException {
        try (StandInWorld world = new StandInWorld()) {
            assertThat(told(world, VerbsNumbers.ASYNC_PKEY_CHANGE)).containsExactly(AsyncEvent.Type.PORT_ACTIVE);
        }
    }

    @Test
    void aPortThatCarriesNothingHasNoPaths() throws InterruptedException {
        try (StandInWorld world = new StandInWorld()) {
            world.port(0, false);
            assertThat(told(world, VerbsNumbers.ASYNC_SM_CHANGE)).isEmpty();
        }
    }
}
