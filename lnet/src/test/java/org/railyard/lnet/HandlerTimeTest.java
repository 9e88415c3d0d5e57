package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Latency;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.DirectLnd;
import org.railyard.lnet.sim.TestHost;

/** Messages that handlers start share a reading of the clock only while handlers are quick. */
class HandlerTimeTest {
    private static final int UNDER_WAY = 80;
    private static final int MESSAGES = 600;
    private static final long MILLI = 1_000_000;

    private final TestHost hostA = new TestHost(1_700_000_000_000_000_000L);
    private final TestHost hostB = new TestHost(1_700_000_001_000_000_000L);
    private final ProcessId toB = ProcessId.of(Nid.parse("10.0.0.2@tcp"));
    private int sent;

    @Test
    void aSlowHandlerDoesNotAgeTheMessagesThatFollow() {
        DirectLnd.Wire wire = new DirectLnd.Wire();
        try (LNet a = wire.node(hostA, "10.0.0.1@tcp");
                LNet _ = wire.node(hostB, "10.0.0.2@tcp")) {
            a.discover(toB.nid(), false);
            TestHost.settle(hostA, hostB);
            Md md = a.bind(MdConfig.of(Arena.ofAuto().allocate(8)).withHandler(event -> {
                int more = event.kind() != EventKind.SEND ? 0 : sent == 1 ? UNDER_WAY - 1 : sent < MESSAGES ? 1 : 0;
                if (more == 1) {
                    hostA.advance(MILLI);
                }
                for (int i = 0; i < more; i++) {
                    sent++;
                    a.put(event.md(), false, Nid.ANY, toB, 33, 7, 0, 0);
                }
            }));
            sent = 1;
            a.put(md, false, Nid.ANY, toB, 33, 7, 0, 0);
            assertThat(sent).isEqualTo(MESSAGES);
            Latency egress = a.inventory().trafficOf(toB.nid()).putEgress();
            assertThat(egress.samples()).isGreaterThanOrEqualTo(MESSAGES);
            // The first handlers that are slow make those of one batch older: by 0 to 31 ms.
            assertThat(egress.total()).isLessThanOrEqualTo(496 * MILLI);
        }
    }
}
