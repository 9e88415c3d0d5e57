package org.railyard.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.host.RealHost;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;
import org.railyard.ibverbs.standin.StandIn;
import org.railyard.ibverbs.standin.StandInNetwork;
import org.railyard.testkit.LogTap;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.Access;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmId;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.Pd;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsException.Code;

/** Each way of not being there, or of being refused, has its own message, which says what to do (spec 24 §9.1). */
final class NotThereTest {
    private static final int EACCES = 13;
    private static final int ENODEV = 19;
    private static final int ENOSYS = 38;
    private static final int ENOMEM = 12;
    private static final int EBUSY = 16;

    private final StandInNetwork network = new StandInNetwork();
    private final StandIn machine = network.add("mlx5_0", StandInWorld.FIRST_IP);

    @AfterEach
    void close() {
        network.close();
    }

    private NativeCards cards() {
        return new NativeCards(new NativeVerbs(machine.functions()));
    }

    private void assertRefused(Code code, String... words) {
        assertThatThrownBy(this::cards)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContainingAll(words);
    }

    @Test
    @Requirement("ibv-003")
    void partsOfTheKernelAreMissing() {
        machine.fails("rdma_create_event_channel", ENODEV);
        assertRefused(Code.ENODEV, "modprobe rdma_ucm", "pass /dev/infiniband");
        machine.fails("rdma_create_event_channel", EACCES);
        assertRefused(Code.EACCES, "permission denied");
        machine.fails("rdma_create_event_channel", 0);
        machine.fails("ibv_get_device_list", ENOSYS);
        assertRefused(Code.ENODEV, "modprobe ib_uverbs");
    }

    @Test
    @Requirement("ibv-003")
    void thereIsNoDevice() {
        machine.fails("rdma_get_devices", ENODEV);
        assertRefused(Code.ENODEV, "no RDMA device", "ibverbs-providers");
        machine.fails("rdma_get_devices", 0);
        NativeCards cards = cards();
        assertThatThrownBy(() -> new IbvProvider(new RealHost(), cards, List.of("mlx5_7")))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("no RDMA device 'mlx5_7'; there is mlx5_0");
    }

    @Test
    @Requirement("ibv-003")
    void theLibraryIsTooOld() {
        machine.remove("rdma_get_devices");
        assertRefused(Code.EOPNOTSUPP, "rdma_get_devices", "rdma-core 44");
    }

    @Test
    @Requirement("ibv-004")
    void aDeviceWithAnotherLayoutIsLeftOut() {
        NativeVerbs verbs = new NativeVerbs(machine.functions());
        long context = machine.context();
        assertThat(NativeCards.flaw(verbs, context)).isEmpty();
        VerbsMemory.putLong(context - VerbsLayout.CONTEXT_BACK_TO_SIZE, 640);
        assertThat(NativeCards.flaw(verbs, context)).contains("640 bytes");
        VerbsMemory.putLong(context - VerbsLayout.CONTEXT_BACK_TO_SIZE, 696);
        assertThat(NativeCards.flaw(verbs, context)).isEmpty();
        VerbsMemory.putLong(context + VerbsLayout.CONTEXT_ABI_COMPAT, 0);
        assertThat(NativeCards.flaw(verbs, context)).contains("no extended context");
        assertRefused(Code.ENODEV, "no RDMA device");
        VerbsMemory.putLong(context + VerbsLayout.CONTEXT_ABI_COMPAT, -1);
        VerbsMemory.putLong(context + VerbsLayout.CONTEXT_POST_SEND, 0);
        assertThat(NativeCards.flaw(verbs, context)).contains("no function at " + VerbsLayout.CONTEXT_POST_SEND);
    }

    @Test
    @Requirement("ibv-003")
    void devicesWithoutAnAddressAreTold() {
        try (LogTap log = new LogTap(IbvProvider.class.getName());
                IbvProvider provider = new IbvProvider(new RealHost(), cards(), List.of(), List::of)) {
            assertThat(provider.interfaces()).isEmpty();
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("WARNING mlx5_0 has no IP address: configure IPoIB (ib0)");
        }
    }

    @Test
    void refusalsSayWhatToDo() {
        try (IbvProvider provider = new IbvProvider(new RealHost(), cards(), List.of())) {
            EventLoop loop = provider.createEventLoop("test");
            loop.call(() -> {
                CmId id = provider.createId(loop, (_, _) -> {});
                machine.fails("rdma_bind_addr", EACCES);
                assertThatThrownBy(() -> id.bind(new CmAddress(StandInWorld.FIRST_IP, 987), false))
                        .isInstanceOfSatisfying(
                                VerbsException.class, e -> assertThat(e.code()).isEqualTo(Code.EACCES))
                        .hasMessageContaining("CAP_NET_BIND_SERVICE");
                machine.fails("rdma_bind_addr", 77);
                assertThatThrownBy(() -> id.bind(new CmAddress(StandInWorld.FIRST_IP, 987), false))
                        .as("one that has no name here")
                        .isInstanceOfSatisfying(
                                VerbsException.class, e -> assertThat(e.code()).isEqualTo(Code.EIO))
                        .hasMessageContaining("errno 77");
            });
            Pd pd = provider.devices().getFirst().openPd();
            machine.fails("ibv_reg_mr", ENOMEM);
            try (Arena arena = Arena.ofConfined()) {
                assertThatThrownBy(() -> pd.registerArena(arena.allocate(4096), Access.LOCAL_WRITE))
                        .isInstanceOfSatisfying(
                                VerbsException.class, e -> assertThat(e.code()).isEqualTo(Code.ENOMEM))
                        .hasMessageContaining("mlx5_0: 4096 bytes can not be registered");
            }
            assertThat(provider.pinnedBytes()).isZero();
        }
        assertThat(machine.leftovers()).isEmpty();
    }

    @Test
    @Requirement("ibv-031")
    void whatCanNotBeRegisteredTellsTheLimit() {
        Supplier<OptionalLong> limit = () -> OptionalLong.of(8 << 20);
        assertThat(MemoryLimit.hint(ENOMEM, 9 << 20, limit))
                .isEqualTo(": registered memory: 8 MiB allowed (ulimit -l), 9 MiB wanted; set LimitMEMLOCK=infinity,"
                        + " or give CAP_IPC_LOCK");
        assertThat(MemoryLimit.hint(EACCES, 9 << 20, limit))
                .as("not because of memory")
                .isEmpty();
        assertThat(MemoryLimit.hint(ENOMEM, 9 << 20, OptionalLong::empty))
                .as("not because of a limit")
                .isEmpty();
        try (IbvProvider provider = new IbvProvider(new RealHost(), cards(), List.of());
                Arena arena = Arena.ofConfined()) {
            Pd pd = provider.devices().getFirst().openPd();
            pd.registerArena(arena.allocate(8192), Access.LOCAL_WRITE);
            machine.fails("ibv_reg_mr", ENOMEM);
            // What is registered already is part of what is wanted; what the system allows is read where it says so.
            assertThatThrownBy(() -> pd.registerArena(arena.allocate(4096), Access.LOCAL_WRITE))
                    .hasMessage("ENOMEM: mlx5_0: 4096 bytes can not be registered" + MemoryLimit.hint(ENOMEM, 12288));
            machine.fails("ibv_reg_mr", 0);
        }
    }

    @Test
    @Requirement("ibv-023")
    void aDomainThatIsClosedGivesMemoryBackAndTellsWhatItCanNot() {
        try (IbvProvider provider = new IbvProvider(new RealHost(), cards(), List.of());
                Arena arena = Arena.ofConfined();
                LogTap log = new LogTap(IbvArena.class.getName())) {
            Pd pd = provider.devices().getFirst().openPd();
            pd.registerArena(arena.allocate(8192), Access.LOCAL_WRITE);
            pd.registerArena(arena.allocate(4096), Access.LOCAL_WRITE);
            pd.close();
            assertThat(machine.leftovers()).isEmpty();
            assertThat(machine.calls("ibv_dereg_mr")).isEqualTo(2);
            assertThat(log.lines()).isEmpty();

            Pd other = provider.devices().getFirst().openPd();
            other.registerArena(arena.allocate(16384), Access.LOCAL_WRITE);
            machine.fails("ibv_dereg_mr", EBUSY);
            other.close();
            assertThat(log.lines()).containsExactly("WARNING 16,384 bytes at mlx5_0 stay registered: errno 16");
            machine.fails("ibv_dereg_mr", 0);
        }
    }

    @Test
    @Requirement({"ibv-021", "ibv-030"})
    @SuppressWarnings("try") // That it may be closed twice is what is shown.
    void whatIsLeftIsGivenBackInOrder() {
        try (IbvProvider provider = new IbvProvider(new RealHost(), cards(), List.of());
                Arena arena = Arena.ofShared()) {
            EventLoop loop = provider.createEventLoop("test");
            Pd pd = provider.devices().getFirst().openPd();
            pd.registerArena(arena.allocate(8192), Access.LOCAL_WRITE | Access.REMOTE_WRITE);
            assertThat(provider.pinnedBytes()).isEqualTo(8192);
            loop.call(() -> {
                provider.createId(loop, (_, _) -> {});
                Objects.requireNonNull(provider.devices().getFirst()).createCq(10, loop, _ -> {});
            });
            assertThat(machine.leftovers()).isNotEmpty();
            provider.close();
            provider.close();
            assertThat(machine.leftovers()).isEmpty();
            assertThat(provider.pinnedBytes()).isZero();
            assertThatThrownBy(() -> provider.createEventLoop("late")).hasMessageContaining("closed");
        }
    }
}
