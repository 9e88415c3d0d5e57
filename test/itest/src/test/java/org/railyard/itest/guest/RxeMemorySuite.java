package org.railyard.itest.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.host.RealHost;
import org.railyard.ibverbs.IbvProvider;
import org.railyard.ibverbs.MemoryMode;
import org.railyard.verbs.Pd;
import org.railyard.verbs.VerbsDevice;

/** What {@code rdma_rxe} of Linux 6.1 does not have is not taken for granted; run in the guest. */
class RxeMemorySuite {
    @Test
    void memoryThatIsWantedOnDemandIsCopied() {
        try (IbvProvider provider = IbvProvider.open(new RealHost(), List.of(), MemoryMode.ON_DEMAND)) {
            assertThat(provider.devices()).isNotEmpty();
            for (VerbsDevice device : provider.devices()) {
                assertThat(device.attributes().abilities()).isEmpty();
                try (Pd pd = device.openPd()) {
                    assertThat(pd.globalRegion()).isNull();
                    assertThat(pd.dma()).isNull();
                }
            }
        }
    }
}
