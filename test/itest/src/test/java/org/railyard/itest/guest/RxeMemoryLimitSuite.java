package org.railyard.itest.guest;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.ErrnoException;
import org.railyard.ibverbs.IbvProvider;
import org.railyard.ibverbs.MemoryMode;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.O2ibLndProvider;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.testkit.Requirement;

/**
 * A process that may lock less memory than an NI needs; run in the guest with a limit of 1 MiB and without
 * {@code CAP_IPC_LOCK}.
 */
class RxeMemoryLimitSuite {
    @Test
    @Requirement("ibv-031")
    void theNiSaysWhatIsAllowedWhatIsWantedAndWhatToDo() {
        LNetConfig config = LNetConfig.builder()
                .lnd(new O2ibLndProvider(
                        host -> IbvProvider.open(host, List.of(), MemoryMode.COPY), Tunables.DEFAULT))
                .ni(NiRequest.ofNid(Nid.parse("10.79.1.1@o2ib")))
                .build();
        assertThatThrownBy(() -> LNet.start(config))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("registered memory: 1 MiB allowed (ulimit -l), ")
                .hasMessageContaining(" MiB wanted; set LimitMEMLOCK=infinity, or give CAP_IPC_LOCK");
    }
}
