package org.railyard.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.host.RealHost;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.standin.StandIn;
import org.railyard.ibverbs.standin.StandInNetwork;
import org.railyard.testkit.LogTap;
import org.railyard.verbs.Access;
import org.railyard.verbs.ArenaRegion;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmId;
import org.railyard.verbs.Completion;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.Cq;
import org.railyard.verbs.DeviceAttributes.Ability;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.DmaSpace;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.Pd;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.WorkChain;
import org.railyard.verbs.WorkStatus;

/** Windows of type 2: when they are bound and shut, and when others take their place (spec 24 §8.3). */
final class MemoryWindowTest {
    private static final int ENOMEM = 12;
    private static final int EBUSY = 16;
    private static final int EINVAL = 22;
    private static final long SECOND = 1_000_000_000L;
    private static final int BYTES = 4096;
    private static final int OPEN = Access.LOCAL_WRITE | Access.REMOTE_WRITE;
    private static final CmAddress SERVICE = new CmAddress(StandInWorld.FIRST_IP, 987);
    private static final QpCapabilities USUAL = new QpCapabilities(16, 16, 1);

    private final StandInNetwork network = new StandInNetwork();
    private final StandIn machine = network.add("mlx5_0", StandInWorld.FIRST_IP);
    private final IbvProvider provider = open(true);
    private final EventLoop loop = provider.createEventLoop("test");
    private final VerbsDevice device = provider.devices().getFirst();
    private final Pd pd = device.openPd();
    private final DmaSpace space = Objects.requireNonNull(pd.dma());
    private final Arena arena = Arena.ofShared();
    private final ArenaRegion source = pd.registerArena(arena.allocate(BYTES).fill((byte) 7), Access.LOCAL_WRITE);
    private final MemorySegment memory = arena.allocate(BYTES);
    private final DmaList pieces = new DmaList(1);
    private final List<WorkStatus> done = new CopyOnWriteArrayList<>();
    private final List<Qp> accepted = new CopyOnWriteArrayList<>();
    private final List<Qp> asked = new CopyOnWriteArrayList<>();
    private int connections;

    @AfterEach
    void close() {
        provider.close();
        assertThat(machine.leftovers()).isEmpty();
        assertThat(provider.pinnedBytes()).isZero();
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
                done.add(batch[i].status());
            }
        }
    }

    private Qp prepare(CmId id) {
        Cq cq = device.createCq(64, loop, this::poll);
        cq.arm();
        return id.createQp(pd, cq, USUAL);
    }

    /** Makes one more connection of the card with itself: whose window is opened comes last in {@link #accepted}. */
    private Qp connect() {
        CmAddress service = new CmAddress(SERVICE.ip(), SERVICE.port() + connections);
        connections++;
        loop.call(() -> {
            CmId listener = provider.createId(loop, (_, event) -> {
                CmId request = event.request();
                if (request != null) {
                    accepted.add(prepare(request));
                    request.accept(ConnectParameters.DEFAULT, MemorySegment.NULL);
                }
            });
            listener.bind(service, false);
            listener.listen();
            List<Qp> mine = new ArrayList<>();
            provider.createId(loop, (id, event) -> {
                        switch (event.type()) {
                            case ADDRESS_RESOLVED -> id.resolveRoute(-1, SECOND);
                            case ROUTE_RESOLVED -> {
                                mine.add(prepare(id));
                                id.connect(new ConnectParameters(5, ConnectParameters.FOR_EVER), MemorySegment.NULL);
                            }
                            case ESTABLISHED -> asked.add(mine.getFirst());
                            default -> {
                                // Of no matter here.
                            }
                        }
                    })
                    .resolveAddress(service, SECOND);
        });
        await(() -> asked.size() == connections && accepted.size() == connections);
        return accepted.getLast();
    }

    private FastRegion region() {
        if (pieces.size() == 0) {
            space.map(memory, pieces);
        }
        return pd.allocateFastRegion(2, false);
    }

    /** Opens a region at a queue pair, and shuts it before if it was open; returns the key that peers get. */
    private int open(FastRegion region, Qp at, boolean wasOpen) {
        int[] key = {0};
        loop.call(() -> {
            region.prepare(pieces, at);
            key[0] = region.remoteKey();
            WorkChain chain = new WorkChain();
            if (wasOpen) {
                chain.invalidate(1, false, region);
            }
            assertThat(at.postSend(chain.register(2, true, region, OPEN))).isEqualTo(chain.size());
        });
        return key[0];
    }

    /** The other end of a connection writes; returns how that ends. */
    private WorkStatus write(int connection, int key) {
        int before = done.size();
        loop.call(() -> asked.get(connection)
                .postSend(new WorkChain()
                        .write(3, true, memory.address(), key)
                        .gather(source.addressOf(0), 100, source.localKey())));
        await(() -> done.size() > before);
        return done.get(before);
    }

    /** Registers more than there is room for: half of the regions that the card has. */
    private void fillTheCache() {
        for (int i = 0; i < 600; i++) {
            DmaList one = new DmaList(1);
            space.map(arena.allocate(16), one);
            space.unmap(one);
        }
    }

    private void release() {
        space.unmap(pieces);
    }

    @Test
    void theSameWindowIsShutAndOpenedAgainByRequests() {
        Qp qp = connect();
        FastRegion region = region();
        int first = open(region, qp, false);
        await(() -> done.size() == 1);
        assertThat(write(0, first)).isEqualTo(WorkStatus.SUCCESS);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 99)).isEqualTo((byte) 7);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 100)).isZero();
        int key = first;
        for (int i = 0; i < 300; i++) {
            int before = done.size();
            int next = open(region, qp, true);
            await(() -> done.size() > before);
            assertThat(next).isNotEqualTo(key);
            assertThat(next >>> 8).isEqualTo(first >>> 8);
            key = next;
        }
        assertThat(done).containsOnly(WorkStatus.SUCCESS);
        assertThat(machine.calls("alloc_mw")).as("one window for all").isEqualTo(1);
        assertThat(machine.calls("dealloc_mw")).isZero();
        assertThat(write(0, key)).isEqualTo(WorkStatus.SUCCESS);
        assertThat(write(0, key - 1)).as("with an old key").isEqualTo(WorkStatus.REMOTE_ACCESS);
        release();
    }

    @Test
    void shutAndOpenedAgainOneByOne() {
        Qp qp = connect();
        FastRegion region = region();
        open(region, qp, false);
        loop.call(() -> qp.postSend(new WorkChain().invalidate(1, true, region)));
        int key = open(region, qp, false);
        await(() -> done.size() == 3);
        assertThat(done).containsOnly(WorkStatus.SUCCESS);
        assertThat(write(0, key)).isEqualTo(WorkStatus.SUCCESS);
        release();
    }

    @Test
    void aWindowIsForTheQueuePairItWasOpenedAt() {
        Qp one = connect();
        Qp other = connect();
        FastRegion region = region();
        int first = open(region, one, false);
        int second = open(region, other, true);
        await(() -> done.size() == 2);
        assertThat(done).containsOnly(WorkStatus.SUCCESS);
        assertThat(second >>> 8).as("another window").isNotEqualTo(first >>> 8);
        assertThat(machine.calls("dealloc_mw")).isEqualTo(1);
        assertThat(write(1, second)).isEqualTo(WorkStatus.SUCCESS);
        assertThat(write(0, second)).as("of another peer").isEqualTo(WorkStatus.REMOTE_ACCESS);
        release();
    }

    @Test
    void whatIsOnlyReadHereIsNotOpened() {
        Qp qp = connect();
        FastRegion region = region();
        loop.call(() -> {
            region.prepare(pieces, qp);
            WorkChain chain = new WorkChain();
            chain.invalidate(1, false, region)
                    .register(2, false, region, 0)
                    .write(3, true, memory.address(), 0)
                    .gather(memory.address(), 0, region.localKey());
            assertThat(qp.postSend(chain)).isEqualTo(3);
        });
        await(() -> done.size() == 1);
        assertThat(done).containsOnly(WorkStatus.SUCCESS);
        assertThat(write(0, region.remoteKey())).isEqualTo(WorkStatus.REMOTE_ACCESS);
        release();
    }

    @Test
    void memoryThatGoesTakesItsWindowsAlong() {
        Qp qp = connect();
        FastRegion region = region();
        open(region, qp, false);
        await(() -> done.size() == 1);
        release();
        fillTheCache();
        assertThat(machine.calls("dealloc_mw"))
                .as("the oldest region had to go")
                .isEqualTo(1);
        DmaList again = new DmaList(1);
        space.map(memory, again);
        int key = open(region, qp, true);
        await(() -> done.size() == 2);
        assertThat(write(0, key)).isEqualTo(WorkStatus.SUCCESS);
        space.unmap(again);
    }

    @Test
    void memoryWhoseWindowIsAwaitedStays() {
        Qp qp = connect();
        FastRegion region = region();
        open(region, qp, false);
        await(() -> done.size() == 1);
        release();
        DmaList next = new DmaList(1);
        space.map(arena.allocate(64), next);
        int[] key = {0};
        loop.call(() -> {
            region.prepare(next, qp);
            key[0] = region.remoteKey();
        });
        fillTheCache();
        assertThat(machine.calls("dealloc_mw")).as("its key was told").isZero();
        loop.call(() -> qp.postSend(new WorkChain().invalidate(1, false, region).register(2, true, region, OPEN)));
        await(() -> done.size() == 2);
        int before = done.size();
        loop.call(() -> asked.getFirst()
                .postSend(new WorkChain()
                        .write(3, true, next.address(0), key[0])
                        .gather(source.addressOf(0), 10, source.localKey())));
        await(() -> done.size() > before);
        assertThat(done).containsOnly(WorkStatus.SUCCESS);
        space.unmap(next);
    }

    @Test
    void memoryThatIsBusyIsGivenBackLater() {
        DmaList one = new DmaList(1);
        space.map(arena.allocate(16), one);
        space.unmap(one);
        machine.fails("ibv_dereg_mr", EBUSY);
        long before = provider.pinnedBytes();
        for (int i = 0; i < 600; i++) {
            DmaList each = new DmaList(1);
            try {
                space.map(arena.allocate(16), each);
            } catch (VerbsException e) {
                assertThat(e.code()).isEqualTo(VerbsException.Code.ENOMEM);
                break;
            }
            space.unmap(each);
        }
        machine.fails("ibv_dereg_mr", 0);
        space.map(arena.allocate(16), new DmaList(1));
        assertThat(provider.pinnedBytes()).isLessThanOrEqualTo(before + 500 * 16);
    }

    @Test
    void aQueuePairThatIsClosedTakesItsWindowsAlong() {
        Qp qp = connect();
        FastRegion region = region();
        int key = open(region, qp, false);
        await(() -> done.size() == 1);
        loop.call(qp::close);
        assertThat(machine.calls("dealloc_mw")).isEqualTo(1);
        Qp other = connect();
        int next = open(region, other, true);
        await(() -> done.size() == 2);
        assertThat(next).isNotEqualTo(key);
        assertThat(write(1, next)).isEqualTo(WorkStatus.SUCCESS);
        region.close();
        assertThat(machine.calls("dealloc_mw")).isEqualTo(2);
        assertThat(write(1, next)).isEqualTo(WorkStatus.REMOTE_ACCESS);
        release();
    }

    @Test
    void afterARefusalNobodyKnowsSoAnotherWindowTakesThePlace() {
        Qp qp = connect();
        FastRegion region = region();
        machine.fails("post_send", EINVAL);
        loop.call(() -> {
            region.prepare(pieces, qp);
            qp.postSend(new WorkChain().register(1, true, region, OPEN));
        });
        machine.fails("post_send", 0);
        assertThat(machine.calls("dealloc_mw")).isEqualTo(1);
        Qp other = connect();
        int key = open(region, other, true);
        assertThat(write(1, key)).isEqualTo(WorkStatus.SUCCESS);
        release();
    }

    @Test
    void withoutRoomForAWindowTheTransferIsCopied() {
        Qp qp = connect();
        FastRegion region = region();
        machine.fails("alloc_mw", ENOMEM);
        loop.call(() -> assertThatThrownBy(() -> region.prepare(pieces, qp))
                .isInstanceOfSatisfying(VerbsException.class, e -> {
                    assertThat(e.code()).isEqualTo(VerbsException.Code.ENOMEM);
                    assertThat(e).hasMessageContaining("mlx5_0: a memory window can not be made");
                }));
        machine.fails("alloc_mw", 0);
        open(region, qp, false);
        await(() -> done.size() == 1);
        assertThat(done).containsOnly(WorkStatus.SUCCESS);
        release();
    }

    @Test
    void cardsWithoutWindowsCopy() {
        machine.windows(false);
        try (LogTap log = new LogTap(IbvDevice.class.getName());
                IbvProvider other = open(false)) {
            VerbsDevice card = other.devices().getFirst();
            assertThat(card.attributes().abilities()).isEmpty();
            assertThat(card.openPd().dma()).isNull();
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .contains("mlx5_0 has no memory windows of type 2; payload is copied");
        }
        assertThat(device.attributes().abilities()).containsExactly(Ability.FAST_REG);
    }

    private IbvProvider open(boolean windows) {
        machine.windows(windows);
        return new IbvProvider(
                new RealHost(),
                new NativeCards(new NativeVerbs(machine.functions())),
                List.of(),
                MemoryMode.WINDOW,
                IbvProvider::addresses);
    }
}
