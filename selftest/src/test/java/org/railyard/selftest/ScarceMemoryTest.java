package org.railyard.selftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.railyard.selftest.Nodes.until;
import static org.railyard.selftest.Nodes.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.host.RealHost;
import org.railyard.lnet.LNet;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.api.NodeResult;
import org.railyard.selftest.api.RpcWatch;
import org.railyard.selftest.api.TestSpec;
import org.railyard.selftest.api.Who;
import org.railyard.selftest.node.TestNode;
import org.railyard.selftest.rpc.RpcNode;
import org.railyard.selftest.wire.BatchReply;
import org.railyard.selftest.wire.BrwRequest;
import org.railyard.selftest.wire.Pattern;
import org.railyard.selftest.wire.StatReply;
import org.railyard.selftest.wire.TestParameters;

/** A node that has memory outside its heap for four requests with bulk data. */
final class ScarceMemoryTest {
    private static final int KEY = 77;
    private static final int LIMIT = 20;
    private static final int MIB = 1 << 20;

    private final Nodes nodes = new Nodes();
    private final Nodes.Node rich = nodes.add("127.0.0.11@tcp");
    private final ProcessId poor = ProcessId.of(Nid.parse("127.0.0.12@tcp"));
    private final LNet lnet = nodes.addWithoutSelftest("127.0.0.12@tcp");
    private final AtomicLong left = new AtomicLong(4 * MIB);
    private final RpcNode rpc = new RpcNode(lnet, new RealHost(), RpcWatch.NONE);
    private final TestNode node = new TestNode(lnet, new RealHost(), rpc, 0, LIMIT, () -> {}, this::memory);
    private final Console console = rich.console();

    private MemorySegment memory(long bytes) {
        if (left.addAndGet(-bytes) < 0) {
            left.addAndGet(bytes);
            throw new OutOfMemoryError("planted");
        }
        return Arena.ofAuto().allocate(bytes, Long.BYTES);
    }

    @BeforeEach
    void begin() {
        node.start();
        console.newSession("scarce", KEY, 300, false, 1);
        good(value(console.addToGroup(KEY, "rich", List.of(rich.id()))));
        good(value(console.addToGroup(KEY, "poor", List.of(poor))));
    }

    @AfterEach
    void close() {
        node.close();
        rpc.close();
        nodes.close();
    }

    private static void good(List<NodeResult> results) {
        assertThat(results)
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.status()).isZero());
    }

    private static TestSpec write(String from, String to, int concurrency) {
        TestParameters.Bulk bulk = new TestParameters.Bulk(BrwRequest.WRITE, Pattern.FULL.number(), MIB, 0);
        return TestSpec.bulk(from, to, 4, concurrency, 1, 1, bulk);
    }

    private void runToItsEnd() {
        good(value(console.run(KEY, "batch", LIMIT)));
        until(
                "the end of the test",
                () -> value(console.query(KEY, "batch", 0, LIMIT)).stream()
                        .allMatch(each -> each.reply() instanceof BatchReply reply && reply.active() == 0));
    }

    private StatReply.Framework framework(String group) {
        NodeResult told =
                value(console.statistics(KEY, new Who.OfGroup(group), LIMIT)).getFirst();
        assertThat(told.reply()).isInstanceOf(StatReply.class);
        return told.reply() instanceof StatReply stat ? stat.framework() : new StatReply.Framework(0, 0, 0, -1, -1);
    }

    @Test
    void aTestThatThereIsNoMemoryForIsRefused() {
        assertThat(value(console.addTest(KEY, "batch", write("poor", "rich", 8))))
                .filteredOn(each -> each.node().equals(poor))
                .extracting(NodeResult::status)
                .contains(Errno.ENOMEM.status());
        left.set(2 * MIB);
        good(value(console.addTest(KEY, "batch", write("poor", "rich", 2))));
        runToItsEnd();
        assertThat(framework("poor").brwErrors()).isZero();
    }

    @Test
    void moreRequestsThanThereIsMemoryForWait() {
        good(value(console.addTest(KEY, "batch", write("rich", "poor", 16))));
        runToItsEnd();
        assertThat(framework("rich").brwErrors()).isZero();
    }
}
