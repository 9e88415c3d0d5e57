package org.railyard.selftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.railyard.selftest.Nodes.until;
import static org.railyard.selftest.Nodes.value;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.DropRule;
import org.railyard.lnet.api.FaultFilter;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.api.GroupView;
import org.railyard.selftest.api.NodeResult;
import org.railyard.selftest.api.NodeState;
import org.railyard.selftest.api.TestSpec;
import org.railyard.selftest.api.Who;
import org.railyard.selftest.wire.BatchReply;
import org.railyard.selftest.wire.BrwRequest;
import org.railyard.selftest.wire.DebugReply;
import org.railyard.selftest.wire.Pattern;
import org.railyard.selftest.wire.SessionId;
import org.railyard.selftest.wire.StatReply;
import org.railyard.selftest.wire.TestParameters;
import org.railyard.selftest.wire.TestRequest;

/** A console and the nodes that it tests, over sockets (spec 03 §3, §4, §6). */
class ConsoleTest {
    private static final int KEY = 77;
    private static final int LIMIT = 30;

    private final Nodes nodes = new Nodes();
    private final Nodes.Node a = nodes.add("127.0.0.11@tcp");
    private final Nodes.Node b = nodes.add("127.0.0.12@tcp");

    @AfterEach
    void close() {
        nodes.close();
    }

    private static TestSpec ping(int loop, int concurrency) {
        return TestSpec.ping("c", "s", loop, concurrency, 1, 1);
    }

    private static TestSpec bulk(int operation, Pattern check, int length, int loop) {
        return TestSpec.bulk("c", "s", loop, 2, 1, 1, new TestParameters.Bulk(operation, check.number(), length, 0));
    }

    private Console session() {
        Console console = a.console();
        console.newSession("test", KEY, 300, false, 1);
        assertThat(value(console.addToGroup(KEY, "c", List.of(a.id())))).allMatch(each -> each.status() == 0);
        assertThat(value(console.addToGroup(KEY, "s", List.of(b.id())))).allMatch(each -> each.status() == 0);
        return console;
    }

    private static void good(List<NodeResult> results) {
        assertThat(results)
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.status()).isZero());
    }

    private static long active(Console console, String batch) {
        return value(console.query(KEY, batch, 0, LIMIT)).stream()
                .mapToInt(each -> each.reply() instanceof BatchReply reply ? reply.active() : 0)
                .sum();
    }

    private static StatReply stat(Console console, String group) {
        return (StatReply) Objects.requireNonNull(value(console.statistics(KEY, new Who.OfGroup(group), LIMIT))
                .getFirst()
                .reply());
    }

    @Test
    void aNodeThatIsAddedToGroupsAtTheSameMomentLeavesAllTheSame() {
        Console console = a.console();
        console.newSession("test", KEY, 300, false, 1);
        List<CompletionStage<List<NodeResult>>> added = Stream.of("g1", "g2", "g3")
                .map(group -> console.addToGroup(KEY, group, List.of(b.id())))
                .toList();
        added.forEach(each -> good(value(each)));
        assertThat(value(console.endSession(KEY)))
                .singleElement()
                .satisfies(each -> assertThat(each.state()).isEqualTo(NodeState.UNKNOWN));
    }

    @Test
    void pingsRunTheirCourse() {
        Console console = session();
        console.addBatch(KEY, "b1");
        good(value(console.addTest(KEY, "b1", ping(50, 4))));
        good(value(console.run(KEY, "b1", LIMIT)));
        until("the end of the test", () -> active(console, "b1") == 0);
        StatReply server = stat(console, "s");
        assertThat(server.rpc().received()).isGreaterThan(200);
        assertThat(server.framework().pingErrors()).isZero();
        StatReply client = stat(console, "c");
        assertThat(client.framework().pingErrors()).isZero();
        assertThat(client.rpc().errors()).isZero();
        assertThat(client.rpc().sent()).isGreaterThanOrEqualTo(200);
        good(value(console.stop(KEY, "b1", false, LIMIT)));
        good(value(console.endSession(KEY)));
        assertThat(console.session()).isNull();
    }

    @Test
    void dataGoesBothWaysAndIsChecked() {
        Console console = session();
        int calls = 0;
        for (int operation : List.of(BrwRequest.READ, BrwRequest.WRITE)) {
            for (Pattern check : List.of(Pattern.NONE, Pattern.SIMPLE, Pattern.FULL)) {
                for (int length : List.of(8, 4096, 12_296, 1 << 20)) {
                    good(value(console.addTest(KEY, "batch", bulk(operation, check, length, 3))));
                    calls += 3 * 2;
                }
            }
        }
        good(value(console.run(KEY, "batch", LIMIT)));
        until("the end of the tests", () -> active(console, "batch") == 0);
        StatReply client = stat(console, "c");
        assertThat(client.framework().brwErrors()).isZero();
        StatReply server = stat(console, "s");
        assertThat(server.rpc().received()).isGreaterThanOrEqualTo(calls);
        long each = 3 * 3 * 2 * (8L + 4096 + 12_296 + (1 << 20));
        assertThat(server.rpc().bulkPut()).isEqualTo(each);
        assertThat(server.rpc().bulkGet()).isEqualTo(each);
    }

    @Test
    void aTestWithoutAnEndIsStopped() {
        Console console = session();
        good(value(console.addTest(KEY, "batch", ping(TestRequest.FOR_EVER, 8))));
        good(value(console.addTest(KEY, "batch", bulk(BrwRequest.READ, Pattern.FULL, 65_536, TestRequest.FOR_EVER))));
        good(value(console.run(KEY, "batch", LIMIT)));
        assertThat(active(console, "batch")).isEqualTo(2);
        assertThat(value(console.query(KEY, "batch", 1, LIMIT)).getFirst().reply())
                .isEqualTo(new BatchReply(0, sessionId(console), 8, 0));
        int before = stat(console, "s").rpc().received();
        until("traffic", () -> stat(console, "s").rpc().received() > before + 100);
        assertThatThrownBy(() -> console.addTest(KEY, "batch", ping(1, 1)))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
        good(value(console.stop(KEY, "batch", false, LIMIT)));
        until("the end of the tests", () -> active(console, "batch") == 0);
        assertThat(stat(console, "c").framework().pingErrors()).isZero();
        // It may run again.
        good(value(console.run(KEY, "batch", LIMIT)));
        assertThat(active(console, "batch")).isEqualTo(2);
        good(value(console.stop(KEY, "batch", true, LIMIT)));
        until("the end of the tests", () -> active(console, "batch") == 0);
    }

    private static SessionId sessionId(Console console) {
        NodeResult answer =
                value(console.debug(KEY, new Who.OfGroup("c"), LIMIT)).getFirst();
        return ((DebugReply) Objects.requireNonNull(answer.reply())).session();
    }

    @Test
    void aNodeCanTestItself() {
        Console console = a.console();
        console.newSession("alone", KEY, 300, false, 1);
        good(value(console.addToGroup(KEY, "c", List.of(a.id()))));
        good(value(console.addToGroup(KEY, "s", List.of(a.id()))));
        good(value(console.addTest(KEY, "batch", ping(1000, 2))));
        good(value(console.addTest(KEY, "batch", bulk(BrwRequest.WRITE, Pattern.FULL, 65_536, 100))));
        good(value(console.run(KEY, "batch", LIMIT)));
        until("the end of the tests", () -> active(console, "batch") == 0);
        assertThat(stat(console, "c").framework()).satisfies(figures -> {
            assertThat(figures.pingErrors()).isZero();
            assertThat(figures.brwErrors()).isZero();
        });
    }

    @Test
    void aNodeIsInOneSessionAtATime() {
        Console console = session();
        Console other = b.console();
        other.newSession("other", 1, 300, false, 1);
        NodeResult refused = value(other.addToGroup(1, "x", List.of(a.id()))).getFirst();
        assertThat(refused.status()).isEqualTo(Errno.EBUSY.status());
        assertThat(refused.state()).isEqualTo(NodeState.BUSY);
        // With force, the node leaves the other session and its tests end.
        good(value(console.addTest(KEY, "batch", ping(TestRequest.FOR_EVER, 1))));
        good(value(console.run(KEY, "batch", LIMIT)));
        other.newSession("forced", 1, 300, true, 1);
        good(value(other.addToGroup(1, "x", List.of(a.id()))));
        NodeResult lost = value(console.debug(KEY, new Who.OfGroup("c"), LIMIT)).getFirst();
        assertThat(lost.state()).isEqualTo(NodeState.BUSY);
        assertThat(value(console.query(KEY, "batch", 0, LIMIT)).getFirst().status())
                .isEqualTo(Errno.ESRCH.status());
    }

    @Test
    void aNodeThatHearsNothingLeaves() {
        Console console = session();
        b.host().advance(Duration.ofSeconds(101));
        until(
                "the node has left",
                () -> value(console.debug(KEY, new Who.OfGroup("s"), LIMIT))
                                .getFirst()
                                .status()
                        == Errno.ESRCH.status());
        assertThat(console.groups(KEY).get(1).nodes().getFirst().state()).isEqualTo(NodeState.UNKNOWN);
        good(value(console.refreshGroup(KEY, "s")));
        assertThat(console.groups(KEY).get(1).nodes().getFirst().state()).isEqualTo(NodeState.ACTIVE);
    }

    @Test
    void failedCallsAreThoseOfTheSession() {
        Console console = session();
        good(value(console.addTest(KEY, "batch", ping(1, 1))));
        a.lnet()
                .faults()
                .add(DropRule.of(FaultFilter.of(Nid.ANY, b.id().nid()).withRate(1))
                        .withHealthErrors(Set.of(HealthStatus.REMOTE_ERROR)));
        var _ = value(console.run(KEY, "batch", LIMIT));
        until("the end of the test", () -> active(console, "batch") == 0);
        assertThat(stat(console, "c").framework().pingErrors()).isOne();
        console.newSession("next", KEY, 300, true, 1);
        good(value(console.addToGroup(KEY, "c", List.of(a.id()))));
        assertThat(stat(console, "c").framework().pingErrors()).isZero();
    }

    @Test
    void aSessionIsNamedByAnyIpv4NidOfItsNode() {
        Nodes.Node other = nodes.add("::1@tcp");
        assertThatThrownBy(() -> other.console().newSession("test", KEY, 300, false, 1))
                .hasMessageContaining("needs an NI with an IPv4 address");
        other.lnet().addNi(NiRequest.ofNid(Nid.parse("127.0.0.13@tcp")));
        assertThat(other.console().newSession("test", KEY, 300, false, 1).id()).startsWith("127.0.0.13@tcp:");
        good(value(other.console().addToGroup(KEY, "c", List.of(a.id(), b.id()))));
    }

    @Test
    void aSessionThatNobodyUsesEnds() {
        Console console = session();
        a.host().advance(Duration.ofSeconds(301));
        until("the session has ended", () -> console.session() == null);
        Console other = b.console();
        other.newSession("other", 1, 300, false, 1);
        until("the nodes are free", () -> value(joined(other)).stream().allMatch(each -> each.status() == 0));
    }

    /** Asks both nodes; a call that was lost with a connection, whose time was over at one end, ends by its limit. */
    private CompletionStage<List<NodeResult>> joined(Console console) {
        CompletableFuture<List<NodeResult>> asked =
                console.addToGroup(1, "x", List.of(a.id(), b.id())).toCompletableFuture();
        until("answers, or the end of the call", () -> {
            b.host().advance(Duration.ofMillis(50));
            return asked.isDone();
        });
        return asked;
    }

    @Test
    void aNodeThatIsNotThereIsDown() {
        Console console = session();
        ProcessId nobody = ProcessId.of(Nid.parse("127.0.0.99@tcp"));
        NodeResult result = value(console.addToGroup(KEY, "n", List.of(nobody))).getFirst();
        assertThat(result.status()).isNegative();
        assertThat(result.state()).isEqualTo(NodeState.DOWN);
        // A test needs one on each side that takes part.
        List<NodeResult> answers = value(console.addTest(KEY, "batch", TestSpec.ping("n", "s", 1, 1, 1, 1)));
        assertThat(answers).anyMatch(each -> each.status() < 0);
        assertThat(console.batches(KEY).getFirst().tests()).isEmpty();
    }

    @Test
    void whatCanNotBeIsRefused() {
        Console console = a.console();
        assertThatThrownBy(() -> console.groups(KEY)).hasMessageContaining("there is no session");
        console.newSession("test", KEY, 300, false, 1);
        assertThatThrownBy(() -> console.newSession("more", KEY, 300, false, 1)).hasMessageContaining("EEXIST");
        assertThatThrownBy(() -> console.groups(KEY + 1)).hasMessageContaining("LST_SESSION");
        assertThatThrownBy(() -> console.addBatch(KEY, "batch")).hasMessageContaining("EEXIST");
        assertThatThrownBy(() -> console.addBatch(KEY, "n".repeat(32))).hasMessageContaining("1 to 31");
        assertThatThrownBy(() -> console.run(KEY, "batch", LIMIT)).hasMessageContaining("no tests");
        assertThatThrownBy(() -> console.run(KEY, "none", LIMIT)).hasMessageContaining("ENOENT");
        assertThatThrownBy(() -> console.addTest(KEY, "batch", ping(1, 1))).hasMessageContaining("no group 'c'");
        assertThatThrownBy(() -> console.addToGroup(KEY, "c", List.of(b.id(), ProcessId.of(Nid.parse("fd00::1@tcp")))))
                .hasMessageContaining("IPv4");
        assertThatThrownBy(() -> console.addToGroup(KEY, "n".repeat(32), List.of(b.id())))
                .hasMessageContaining("1 to 31");
        assertThat(console.groups(KEY)).as("what is refused leaves nothing").isEmpty();
        assertThat(value(console.debug(KEY, new Who.All(), LIMIT))).isEmpty();
        assertThatThrownBy(() -> ping(0, 1)).hasMessageContaining("loop 0");
        assertThatThrownBy(() -> ping(1, 1025)).hasMessageContaining("1…1024");
        assertThatThrownBy(() -> bulk(1, Pattern.FULL, 12, 1)).hasMessageContaining("multiple of 8");
        assertThatThrownBy(() -> bulk(3, Pattern.FULL, 8, 1)).hasMessageContaining("read or write");
        good(value(console.addToGroup(KEY, "c", List.of(a.id()))));
        good(value(console.addToGroup(KEY, "s", List.of(a.id()))));
        assertThatThrownBy(() -> console.addTest(KEY, "batch", TestSpec.ping("c", "s", 1, 1, 1, 2)))
                .hasMessageContaining("has 1");
        good(value(console.addTest(KEY, "batch", ping(1, 1))));
        assertThatThrownBy(() -> console.deleteGroup(KEY, "c")).hasMessageContaining("part of a test");
        assertThatThrownBy(() -> console.removeFromGroup(KEY, "c", _ -> true)).hasMessageContaining("part of a test");
        good(value(console.addToGroup(KEY, "spare", List.of(b.id()))));
        assertThat(console.removeFromGroup(KEY, "spare", view -> view.node().equals(b.id())))
                .isEqualTo(1);
        console.deleteGroup(KEY, "spare");
        assertThat(console.groups(KEY)).extracting(GroupView::name).containsExactly("c", "s");
    }
}
