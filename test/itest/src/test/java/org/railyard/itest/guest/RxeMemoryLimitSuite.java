package org.railyard.itest.guest;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.host.RealHost;
import org.railyard.ibverbs.IbvProvider;
import org.railyard.ibverbs.MemoryMode;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.Access;
import org.railyard.verbs.Pd;
import org.railyard.verbs.VerbsException;

/**
 * A process that may lock less memory than an NI needs; run in the guest with a limit of 1 MiB and without
 * {@code CAP_IPC_LOCK}.
 */
class RxeMemoryLimitSuite {
    @Test
    @Requirement("ibv-031")
    void itSaysWhatIsAllowedWhatIsWantedAndWhatToDo() {
        try (IbvProvider provider = IbvProvider.open(new RealHost(), List.of("rxe0"), MemoryMode.COPY);
                Arena arena = Arena.ofShared();
                Pd pd = provider.devices().getFirst().openPd()) {
            MemorySegment memory = arena.allocate(4 << 20, 4096);
            assertThatThrownBy(() -> pd.registerArena(memory, Access.LOCAL_WRITE))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("registered memory: 1 MiB allowed (ulimit -l), 4 MiB wanted;"
                            + " set LimitMEMLOCK=infinity, or give CAP_IPC_LOCK");
        }
    }
}
