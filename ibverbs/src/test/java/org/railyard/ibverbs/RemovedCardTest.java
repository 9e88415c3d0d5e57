package org.railyard.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.host.RealHost;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.standin.StandIn;
import org.railyard.ibverbs.standin.StandInNetwork;
import org.railyard.verbs.Access;
import org.railyard.verbs.ArenaRegion;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.Completion;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.Cq;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.Pd;
import org.railyard.verbs.PortAttributes;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.WorkChain;
import org.railyard.verbs.WorkStatus;

/** What a card does that breaks, that is taken out, or that takes its time in giving up. */
final class RemovedCardTest {
    private static final int EIO = 5;
    private static final int ENOMEM = 12;
    private static final int EINVAL = 22;
    private static final long SECOND = 1_000_000_000L;
    private static final CmAddress SERVICE = new CmAddress(StandInWorld.FIRST_IP, 987);
    private static final QpCapabilities USUAL = new QpCapabilities(8, 8, 1);

    private record Done(long id, WorkStatus status, boolean undelivered) {}

    private final StandInNetwork network = new StandInNetwork();
    private final StandIn machine = network.add("mlx5_0", StandInWorld.FIRST_IP);
    private final IbvProvider provider =
            new IbvProvider(new RealHost(), new NativeCards(new NativeVerbs(machine.functions())), List.of());
    private final EventLoop loop = provider.createEventLoop("test");
    private final VerbsDevice device = provider.devices().getFirst();
    private final Pd pd = device.openPd();
    private final Arena arena = Arena.ofShared();
    private final ArenaRegion region = pd.registerArena(arena.allocate(4096), Access.LOCAL_WRITE);
    private final List<CmEvent.Type> events = new CopyOnWriteArrayList<>();
    private final List<AsyncEvent.Type> news = new CopyOnWriteArrayList<>();
    private final List<Done> done = new CopyOnWriteArrayList<>();
    private @Nullable Qp qp;

    @AfterEach
    void close() {
        machine.holdFlushes(false);
        provider.close();
        assertThat(machine.leftovers()).isEmpty();
        network.close();
        arena.close();
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + 30 * SECOND;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("it happens in time").isNegative();
            LockSupport.parkNanos(200_000);
        }
    }

    private void poll(Cq cq) {
        Completion[] batch = Completion.batch(4);
        cq.arm();
        for (int count = cq.poll(batch); count > 0; count = cq.poll(batch)) {
            for (int i = 0; i < count; i++) {
                done.add(new Done(batch[i].id(), batch[i].status(), batch[i].isUndelivered()));
            }
        }
    }

    private Qp prepare(CmId id) {
        Cq cq = device.createCq(32, loop, this::poll);
        cq.arm();
        return id.createQp(pd, cq, USUAL);
    }

    private void asked(CmId id, CmEvent event) {
        events.add(event.type());
        switch (event.type()) {
            case ADDRESS_RESOLVED -> id.resolveRoute(-1, SECOND);
            case ROUTE_RESOLVED -> {
                qp = prepare(id);
                id.connect(new ConnectParameters(5, ConnectParameters.FOR_EVER), MemorySegment.NULL);
            }
            default -> {
                // Seen by the test.
            }
        }
    }

    private void begin() {
        loop.call(() -> {
            CmId listener = provider.createId(loop, (_, event) -> {
                CmId request = event.request();
                if (request != null) {
                    prepare(request);
                    request.accept(ConnectParameters.DEFAULT, MemorySegment.NULL);
                }
            });
            listener.bind(SERVICE, false);
            listener.listen();
            provider.createId(loop, this::asked).resolveAddress(SERVICE, SECOND);
        });
    }

    private Qp connect() {
        begin();
        await(() -> events.contains(CmEvent.Type.ESTABLISHED));
        return Objects.requireNonNull(qp);
    }

    private int send(Qp from, int firstId, int count) {
        WorkChain chain = new WorkChain();
        for (int i = 0; i < count; i++) {
            chain.send(firstId + i, true).gather(region.addressOf(0), 8, region.localKey());
        }
        return from.postSend(chain);
    }

    @Test
    void aQueuePairThatCanNotBePutInErrorIsInErrorAllTheSame() {
        Qp mine = connect();
        machine.fails("ibv_modify_qp", EIO);
        loop.call(() -> {
            mine.modifyToError();
            assertThat(mine.state()).isEqualTo(Qp.State.ERROR);
            assertThat(send(mine, 1, 1)).isEqualTo(1);
        });
        await(() -> done.size() == 1);
        assertThat(done).containsExactly(new Done(1, WorkStatus.FLUSHED, true));
    }

    @Test
    void thePortOfACardThatDoesNotAnswerIsDown() {
        PortAttributes before = device.port(1);
        assertThat(before.isActive()).isTrue();
        machine.fails("ibv_query_port", EIO);
        PortAttributes after = device.port(1);
        assertThat(after.isActive()).isFalse();
        assertThat(after.linkRate()).isEqualTo(before.linkRate());
    }

    @Test
    void aCardThatIsTakenOutIsToldOnceAndAskedNoMore() {
        device.listen(loop, (_, event) -> news.add(event.type()));
        connect();
        machine.takeOut();
        await(() -> news.contains(AsyncEvent.Type.DEVICE_REMOVED));
        assertThat(provider.devices()).isEmpty();
        await(() -> machine.calls("ibv_get_cq_event") > 0);
        // Each of them is asked once more at most, by a turn that had begun.
        for (int i = 0; i < 3; i++) {
            loop.call(() -> {});
        }
        int asked = machine.calls("ibv_get_cq_event");
        for (int i = 0; i < 20; i++) {
            loop.call(() -> {});
        }
        assertThat(machine.calls("ibv_get_cq_event")).isEqualTo(asked);
        assertThat(news).containsExactly(AsyncEvent.Type.DEVICE_REMOVED);
    }

    @Test
    void whatIsPostedTooLateCompletesBehindWhatTheCardHas() {
        Qp mine = connect();
        machine.holdFlushes(true);
        loop.call(() -> {
            assertThat(send(mine, 1, 2)).isEqualTo(2);
            mine.modifyToError();
            assertThat(send(mine, 3, 2)).isEqualTo(2);
        });
        for (int i = 0; i < 5; i++) {
            loop.call(() -> {});
        }
        assertThat(done).isEmpty();
        machine.holdFlushes(false);
        await(() -> done.size() == 4);
        assertThat(done)
                .containsExactly(
                        new Done(1, WorkStatus.FLUSHED, false),
                        new Done(2, WorkStatus.FLUSHED, false),
                        new Done(3, WorkStatus.FLUSHED, true),
                        new Done(4, WorkStatus.FLUSHED, true));
    }

    @Test
    void aRefusalThatDoesNotSayOfWhichPutsTheQueuePairInError() {
        Qp mine = connect();
        machine.fails("post_send", ENOMEM);
        loop.call(() -> {
            assertThat(send(mine, 1, 3)).as("nobody knows better").isEqualTo(3);
            assertThat(mine.state()).isEqualTo(Qp.State.ERROR);
        });
    }

    @Test
    void aPathThatCanNotBeReadIsToldAsAFailure() {
        machine.fails("ibv_query_port", EINVAL);
        begin();
        await(() -> events.contains(CmEvent.Type.ROUTE_ERROR));
        assertThat(events).doesNotContain(CmEvent.Type.ROUTE_RESOLVED);
    }

    @Test
    void aLoopThatIsClosedGivesItsThingsBack() {
        List<EventLoop> loops = new ArrayList<>();
        List<String> before = machine.leftovers();
        for (int i = 0; i < 3; i++) {
            EventLoop each = provider.createEventLoop("more");
            loops.add(each);
            each.call(() -> device.createCq(4, each, _ -> {}));
        }
        loops.get(2).call(loops.get(2)::close);
        loops.forEach(EventLoop::close);
        assertThat(machine.leftovers()).isEqualTo(before);
        loops.getFirst().execute(() -> {});
    }
}
