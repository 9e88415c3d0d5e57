package org.railyard.selftest.console;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.api.TestSpec;
import org.railyard.selftest.console.FanOut.Question;
import org.railyard.selftest.rpc.BulkMemory;
import org.railyard.selftest.rpc.RpcNode;
import org.railyard.selftest.wire.BatchReply;
import org.railyard.selftest.wire.DebugReply;
import org.railyard.selftest.wire.Pattern;
import org.railyard.selftest.wire.Reply;
import org.railyard.selftest.wire.RpcMessage;
import org.railyard.selftest.wire.Service;
import org.railyard.selftest.wire.SessionId;
import org.railyard.selftest.wire.SessionReply;
import org.railyard.selftest.wire.StatReply;
import org.railyard.selftest.wire.TargetList;
import org.railyard.selftest.wire.TestParameters;
import org.railyard.selftest.wire.TestRequest;
import org.railyard.selftest.wire.WelcomeReply;

/** What each node of a test is told (spec 03 §6). Made under the lock of the console, immutable then. */
public final class TestParts {
    private final RpcNode rpc;
    private final SessionId session;
    private final int features;
    private final long batch;
    private final TestSpec spec;
    private final List<ConsoleNode> from;
    private final List<ConsoleNode> to;

    /**
     * Divides a test.
     *
     * @throws ErrnoException EINVAL if a group is empty, or too small for the span
     */
    public TestParts(RpcNode rpc, ConsoleSession session, ConsoleBatch batch, ConsoleTest test) {
        this.rpc = rpc;
        this.session = session.id();
        this.features = session.features();
        this.batch = batch.id();
        this.spec = test.spec();
        this.from = List.copyOf(test.from().nodes());
        this.to = List.copyOf(test.to().nodes());
        int most = Math.min(to.size(), TargetList.PER_PAGE);
        if (from.isEmpty() || to.isEmpty()) {
            throw new ErrnoException(Errno.EINVAL, "a group of the test has no nodes");
        }
        if (spec.span() > most) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "each node is to call " + spec.span() + " nodes; group '" + spec.to() + "' has " + to.size()
                            + ", and " + TargetList.PER_PAGE + " are the most");
        }
        boolean pages = (features & RpcMessage.EXACT_LENGTHS) == 0;
        if (pages && spec.bulk() != null && spec.bulk().length() % Pattern.PAGE != 0) {
            throw new ErrnoException(
                    Errno.EINVAL, "size " + spec.bulk().length() + "; nodes of this session take whole pages of 4096");
        }
    }

    /** Returns the nodes that are called. */
    public List<ConsoleNode> servers() {
        return to;
    }

    /** Returns the nodes that call. */
    public List<ConsoleNode> clients() {
        return from;
    }

    private TestRequest request(long bulkId, int loop, boolean client) {
        TestParameters.Bulk bulk = spec.bulk();
        return new TestRequest(
                rpc.nextId(),
                bulkId,
                session,
                batch,
                (bulk == null ? Service.PING : Service.BRW).id(),
                loop,
                spec.concurrency(),
                client,
                true,
                client ? spec.span() : 0,
                bulk == null
                        ? TestParameters.NONE
                        : TestParameters.of(bulk, (features & RpcMessage.EXACT_LENGTHS) != 0));
    }

    /** Returns what a node that is called is told. */
    public Question server(ConsoleNode node) {
        return new Question(request(0, ConsoleTest.expected(spec, from.size(), to.size()), false), null);
    }

    /** Returns what a node that calls is told. */
    public Question client(ConsoleNode node) {
        List<ProcessId> all = to.stream().map(ConsoleNode::id).toList();
        List<ProcessId> targets = ConsoleTest.targets(spec, from.indexOf(node), all);
        long bytes = TargetList.bytes(targets.size());
        if ((features & RpcMessage.EXACT_LENGTHS) == 0) {
            bytes = Pattern.PAGE;
        }
        MemorySegment list = Arena.ofAuto().allocate(bytes, Long.BYTES);
        TargetList.write(list, targets);
        return new Question(request(rpc.nextId(), spec.loop(), true), new BulkMemory(list, false));
    }

    /** Returns the session that a reply tells of; null if it tells of none. */
    public static @Nullable SessionId sessionOf(Reply reply) {
        return switch (reply) {
            case WelcomeReply welcome -> welcome.session();
            case SessionReply answer -> answer.session();
            case DebugReply debug -> debug.session();
            case BatchReply answer -> answer.session();
            case StatReply stat -> stat.session();
            default -> null;
        };
    }
}
