package org.railyard.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.host.RealHost;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.standin.StandIn;
import org.railyard.ibverbs.standin.StandInNetwork;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.Access;
import org.railyard.verbs.DeviceAttributes.Ability;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.DmaSpace;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.MemoryKeys;
import org.railyard.verbs.Pd;
import org.railyard.verbs.Qp;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsException.Code;

/** What stays registered, what is registered anew, and what must not be found again (spec 24 §8.3). */
final class RegistrationCacheTest {
    private static final int ENOMEM = 12;
    private static final int EINVAL = 22;
    private static final long PAGE = 4096;

    private final StandInNetwork network = new StandInNetwork();
    private final StandIn machine = network.add("mlx5_0", StandInWorld.FIRST_IP);
    private final IbvProvider provider = open(MemoryMode.CACHE);
    private final IbvPd pd = (IbvPd) provider.devices().getFirst().openPd();
    private final RegistrationCache cache =
            new RegistrationCache(memory -> pd.register(memory, Access.LOCAL_WRITE | Access.REMOTE_WRITE), 8 * PAGE, 4);

    private IbvProvider open(MemoryMode mode) {
        return new IbvProvider(
                new RealHost(),
                new NativeCards(new NativeVerbs(machine.functions())),
                List.of(),
                mode,
                IbvProvider::addresses);
    }

    @AfterEach
    void close() {
        provider.close();
        assertThat(machine.leftovers()).isEmpty();
        assertThat(provider.pinnedBytes()).isZero();
        network.close();
    }

    private int registrations() {
        return machine.calls("ibv_reg_mr");
    }

    private RegistrationCache.Entry use(MemorySegment memory) {
        RegistrationCache.Entry entry = cache.hold(memory);
        cache.release(memory.address(), memory.byteSize());
        return entry;
    }

    private static void assertRefused(Code code, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void whatWasUsedBeforeIsFoundWithAllOfItsParts() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(4 * PAGE);
            RegistrationCache.Entry first = use(memory);
            assertThat(use(memory)).isSameAs(first);
            assertThat(use(memory.asSlice(PAGE, PAGE))).isSameAs(first);
            assertThat(use(memory.asSlice(3 * PAGE))).isSameAs(first);
            assertThat(registrations()).isEqualTo(1);
            assertThat(cache.bytes()).isEqualTo(4 * PAGE);
            assertThat(provider.pinnedBytes()).isEqualTo(4 * PAGE);
        }
    }

    @Test
    void largerMemoryTakesThePlaceOfItsParts() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(4 * PAGE);
            use(memory.asSlice(0, PAGE));
            use(memory.asSlice(2 * PAGE, PAGE));
            RegistrationCache.Entry all = use(memory);
            assertThat(cache.regions()).isEqualTo(1);
            assertThat(cache.bytes()).isEqualTo(4 * PAGE);
            assertThat(use(memory.asSlice(0, PAGE))).isSameAs(all);
        }
    }

    @Test
    void memoryOfAnArenaThatWasClosedIsNeverFound() {
        Arena old = Arena.ofShared();
        MemorySegment before = old.allocate(PAGE);
        use(before);
        old.close();
        // The same addresses, as if they had been given to other memory.
        try (Arena arena = Arena.ofShared()) {
            MemorySegment now = at(before.address(), arena);
            assertThat(cache.hold(now).region().remoteKey()).isNotZero();
            assertThat(registrations()).isEqualTo(2);
            assertThat(cache.regions()).as("the old one is given back").isEqualTo(1);
            cache.release(now.address(), PAGE);
        }
    }

    @SuppressWarnings("restricted") // Nobody reads or writes there.
    private static MemorySegment at(long address, Arena arena) {
        return MemorySegment.ofAddress(address).reinterpret(PAGE, arena, null);
    }

    @Test
    void memoryOfAnotherScopeAtTheSameAddressesIsNotTheSame() {
        try (Arena one = Arena.ofShared();
                Arena other = Arena.ofShared()) {
            MemorySegment memory = one.allocate(PAGE);
            RegistrationCache.Entry first = use(memory);
            assertThat(use(at(memory.address(), other))).isNotSameAs(first);
        }
    }

    @Test
    void addressesThatATransferStillUsesForMemoryThatIsGoneAreCopied() {
        Arena old = Arena.ofShared();
        MemorySegment before = old.allocate(PAGE);
        cache.hold(before);
        old.close();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment now = at(before.address(), arena);
            assertRefused(Code.EINVAL, () -> cache.hold(now));
            cache.release(before.address(), PAGE);
            assertThat(cache.regions()).isZero();
            use(now);
        }
    }

    @Test
    void directBuffersAreFoundByTheirMemory() {
        ByteBuffer buffer = ByteBuffer.allocateDirect((int) PAGE);
        RegistrationCache.Entry first = use(MemorySegment.ofBuffer(buffer));
        assertThat(use(MemorySegment.ofBuffer(buffer.duplicate().position(100))))
                .isSameAs(first);
        assertThat(use(MemorySegment.ofBuffer(ByteBuffer.allocateDirect((int) PAGE))))
                .isNotSameAs(first);
        assertThat(registrations()).isEqualTo(2);
    }

    @Test
    void whatWasNotUsedForLongestGoesFirstAndNothingThatIsUsed() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment[] all = new MemorySegment[6];
            for (int i = 0; i < all.length; i++) {
                all[i] = arena.allocate(PAGE);
            }
            cache.hold(all[0]);
            use(all[1]);
            RegistrationCache.Entry second = use(all[2]);
            use(all[3]);
            use(all[1]);
            // Four regions at most: the third has to go, which was not used since.
            use(all[4]);
            assertThat(cache.regions()).isEqualTo(4);
            int before = registrations();
            use(all[0]);
            use(all[1]);
            use(all[3]);
            assertThat(registrations()).isEqualTo(before);
            assertThat(use(all[2])).isNotSameAs(second);
            for (int i = 1; i < 4; i++) {
                cache.hold(all[i]);
            }
            assertRefused(Code.ENOMEM, () -> cache.hold(all[5]));
            assertThat(cache.regions()).isEqualTo(4);
            cache.release(all[3].address(), PAGE);
            use(all[5]);
            assertThat(registrations()).isGreaterThan(before + 1);
        }
    }

    @Test
    void bytesAreBounded() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment large = arena.allocate(9 * PAGE);
            assertRefused(Code.ENOMEM, () -> cache.hold(large));
            assertThat(registrations()).isZero();
            use(arena.allocate(5 * PAGE));
            use(arena.allocate(4 * PAGE));
            assertThat(cache.bytes()).as("the first one had to go").isEqualTo(4 * PAGE);
        }
    }

    @Test
    void whatTheCardHasNoRoomForTakesThePlaceOfWhatIsIdle() {
        try (Arena arena = Arena.ofShared()) {
            use(arena.allocate(PAGE));
            MemorySegment next = arena.allocate(PAGE);
            machine.fails("ibv_reg_mr", ENOMEM);
            assertRefused(Code.ENOMEM, () -> cache.hold(next));
            assertThat(cache.regions()).as("it was tried without the idle one").isZero();
            assertThat(cache.bytes()).isZero();
            machine.fails("ibv_reg_mr", EINVAL);
            assertRefused(Code.EINVAL, () -> cache.hold(next));
            machine.fails("ibv_reg_mr", 0);
            use(next);
        }
    }

    @Test
    void severalTransfersUseOnePiece() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(8 * PAGE);
            cache.hold(memory);
            cache.hold(memory);
            cache.release(memory.address(), memory.byteSize());
            MemorySegment other = arena.allocate(PAGE);
            assertRefused(Code.ENOMEM, () -> cache.hold(other));
            cache.release(memory.address(), memory.byteSize());
            cache.release(memory.address(), memory.byteSize());
            use(other);
        }
    }

    @Test
    void aRegionTakesTheKeysOfOneRunOfBytes() {
        DmaSpace space = Objects.requireNonNull(pd.dma());
        FastRegion region = pd.allocateFastRegion(257, false);
        Qp qp = new NoQp();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(4 * PAGE);
            DmaList all = new DmaList(2);
            assertThat(space.map(memory, all)).isEqualTo(1);
            assertThat(region.prepare(all, qp)).isEqualTo(memory.address());
            assertThat(region.remoteKey()).isNotZero();
            DmaList run = new DmaList(2);
            space.map(memory.asSlice(0, 100), run);
            space.map(memory.asSlice(100, 50), run);
            assertThat(region.prepare(run, qp)).isEqualTo(memory.address());
            assertThat(space.map(memory, run))
                    .as("there is no room in the list")
                    .isZero();
            DmaList gap = new DmaList(2);
            space.map(memory.asSlice(0, 100), gap);
            space.map(memory.asSlice(200, 50), gap);
            assertRefused(Code.EINVAL, () -> region.prepare(gap, qp));
            assertRefused(Code.EINVAL, () -> region.prepare(new DmaList(1), qp));
            assertRefused(Code.EINVAL, () -> space.map(MemorySegment.ofArray(new byte[10]), gap));
            for (DmaList each : List.of(all, run, gap)) {
                space.unmap(each);
            }
        }
        assertRefused(Code.EOPNOTSUPP, () -> pd.allocateFastRegion(257, true));
        assertRefused(Code.EINVAL, () -> pd.allocateFastRegion(0, false));
    }

    @Test
    @Requirement("ibv-032")
    void allMemoryIsRegisteredOnlyWhenItIsAskedForAndThatIsTold() {
        machine.onDemand(true);
        for (MemoryMode mode : List.of(MemoryMode.COPY, MemoryMode.CACHE)) {
            try (LogTap log = new LogTap(IbvProvider.class.getName());
                    IbvProvider other = open(mode)) {
                Pd domain = other.devices().getFirst().openPd();
                assertThat(domain.globalRegion()).isNull();
                assertThat(log.lines()).isEmpty();
            }
        }
        assertThat(registrations()).isZero();
        try (LogTap log = new LogTap(IbvProvider.class.getName());
                IbvProvider other = open(MemoryMode.ON_DEMAND)) {
            VerbsDevice device = other.devices().getFirst();
            assertThat(device.attributes().abilities()).containsExactly(Ability.GLOBAL_REGION);
            MemoryKeys keys = device.openPd().globalRegion();
            assertThat(keys).isNotNull();
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("WARNING all memory of this process is registered on demand")
                    .contains("can write anywhere in it");
        }
    }

    @Test
    void cardsThatCanNotPageInCopy() {
        try (LogTap log = new LogTap(IbvDevice.class.getName());
                IbvProvider other = open(MemoryMode.ON_DEMAND)) {
            VerbsDevice device = other.devices().getFirst();
            assertThat(device.attributes().abilities()).isEmpty();
            assertThat(device.openPd().globalRegion()).isNull();
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .contains("mlx5_0 has no on-demand memory")
                    .contains("payload is copied");
        }
    }
}
