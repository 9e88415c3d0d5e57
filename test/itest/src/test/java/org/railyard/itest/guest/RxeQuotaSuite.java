package org.railyard.itest.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.host.RealHost;
import org.railyard.ibverbs.IbvProvider;
import org.railyard.ibverbs.MemoryMode;
import org.railyard.verbs.Access;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.Pd;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;

/** A card that gives this process few objects; run in the guest, in a cgroup that then may have 24 of {@code rxe0}. */
class RxeQuotaSuite {
    private static final int QUOTA = 24;
    private static final int MANY = 10_000;

    private final IbvProvider provider = IbvProvider.open(new RealHost(), List.of("rxe0"), MemoryMode.COPY);
    private final VerbsDevice device = provider.devices().getFirst();
    private final EventLoop loop = provider.createEventLoop("test");

    @BeforeEach
    void limit() {
        RxeQuota.allow("rxe0", String.valueOf(QUOTA));
    }

    @AfterEach
    void close() {
        RxeQuota.allow("rxe0", "max");
        provider.close();
    }

    /** Makes things until there are no more; returns what is said then. */
    private static String refusal(Supplier<?> make) {
        List<Object> made = new ArrayList<>();
        for (int i = 0; i < 2 * QUOTA; i++) {
            try {
                made.add(make.get());
            } catch (VerbsException e) {
                return String.valueOf(e.getMessage());
            }
        }
        throw new AssertionError("there are more than " + made.size());
    }

    private static void assertClear(String message, String what) {
        assertThat(message)
                .startsWith("EAGAIN: rxe0")
                .contains(what)
                .endsWith("the cgroup of this process may allow no more: see rdma.max");
    }

    @Test
    void tooFewDomains() {
        assertClear(refusal(device::openPd), "no protection domain can be made");
    }

    @Test
    void tooFewRegions() {
        Pd pd = device.openPd();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(4096, 4096);
            assertClear(
                    refusal(() -> pd.registerArena(memory, Access.LOCAL_WRITE)), "4096 bytes can not be registered");
            pd.close();
        }
    }

    @Test
    void tooFewCompletionQueues() {
        String[] said = {""};
        loop.call(() -> said[0] = refusal(() -> device.createCq(16, loop, _ -> {})));
        assertClear(said[0], "a completion queue of 16 entries can not be made");
    }

    @Test
    void moreEntriesThanTheCardMakes() {
        int most = device.attributes().maxCqe();
        loop.call(() -> assertThatThrownBy(() -> device.createCq(most + 1, loop, _ -> {}))
                .hasMessageContaining("a completion queue with entries: " + (most + 1) + "; rxe0 makes 1…" + most));
        assertThat(most).isGreaterThan(MANY);
    }
}
