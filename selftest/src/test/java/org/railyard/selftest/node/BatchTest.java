package org.railyard.selftest.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.host.NodeClock;
import org.railyard.host.RealHost;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.api.RpcWatch;
import org.railyard.selftest.rpc.RpcNode;
import org.railyard.selftest.wire.RpcMessage;
import org.railyard.selftest.wire.Service;
import org.railyard.selftest.wire.TestRequest;

/** Tests are found to be run and started at two times: what happens in between counts. */
final class BatchTest {
    private final RealHost host = new RealHost();
    private final LNet lnet = LNet.start(LNetConfig.builder().host(host).build());
    private final RpcNode rpc = new RpcNode(lnet, host, RpcWatch.NONE);
    private final Batch batch = new Batch();
    private final ClientTest test = test("192.0.2.1@tcp", host.clock());

    private ClientTest test(String target, NodeClock clock) {
        return new ClientTest(
                new TestPlan(Service.PING, RpcMessage.KNOWN_FEATURES, TestRequest.FOR_EVER, 3, false, null),
                List.of(ProcessId.of(Nid.parse(target))),
                new Calls(rpc, new Duties(() -> {}), clock, 1, bytes -> MemorySegment.ofArray(new byte[(int) bytes])),
                new FailedCalls());
    }

    @AfterEach
    void close() {
        rpc.close();
        lnet.close();
    }

    @Test
    void theEndOfTheSessionInBetweenEndsThem() {
        batch.add(test);
        List<ClientTest> found = batch.toRun();
        assertThat(found).containsExactly(test);
        batch.stop(true);
        found.forEach(ClientTest::start);
        assertThat(test.running()).isZero();
    }

    /** The time for a ping is looked at between the decision to send it and the call. */
    @Test
    void aCallThatBeginsJustThenIsEndedAsWell() {
        rpc.serve(Service.PING, 8, request -> {});
        ClientTest ended = test("0@lo", new NodeClock() {
            @Override
            public long nanoTime() {
                return host.clock().nanoTime();
            }

            @Override
            public long wallNanos() {
                batch.stop(true);
                return host.clock().wallNanos();
            }
        });
        batch.add(ended);
        batch.toRun().forEach(ClientTest::start);
        assertThat(ended.running()).isZero();
    }

    @Test
    void theyAreFoundOnce() {
        batch.add(test);
        assertThat(batch.toRun()).containsExactly(test);
        assertThat(batch.toRun()).isEmpty();
        assertThat(batch.active()).isEqualTo(1);
    }
}
