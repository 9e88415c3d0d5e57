package org.railyard.selftest.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.host.Host;
import org.railyard.lnet.LNet;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.rpc.IncomingRequest;
import org.railyard.selftest.rpc.RpcNode;
import org.railyard.selftest.wire.BatchReply;
import org.railyard.selftest.wire.BatchRequest;
import org.railyard.selftest.wire.DebugReply;
import org.railyard.selftest.wire.MakeSession;
import org.railyard.selftest.wire.Reply;
import org.railyard.selftest.wire.RpcMessage;
import org.railyard.selftest.wire.Service;
import org.railyard.selftest.wire.SessionId;
import org.railyard.selftest.wire.SessionReply;
import org.railyard.selftest.wire.SessionRequest;
import org.railyard.selftest.wire.StatReply;
import org.railyard.selftest.wire.StatusReply;
import org.railyard.selftest.wire.TargetList;
import org.railyard.selftest.wire.TestRequest;
import org.railyard.selftest.wire.WelcomeReply;

/**
 * A node under test: it takes part in at most one session, does its part in tests, and serves the tests of others (spec
 * 03 §3). Thread-safe.
 */
public final class TestNode implements AutoCloseable {
    /** Room for requests to each framework service. */
    private static final int FRAMEWORK_REQUESTS = 32;

    /** Room for requests to each test service. */
    private static final int TEST_REQUESTS = 2048;

    /** Most units for each target. */
    private static final int MAX_CONCURRENCY = 1024;

    /** Most units of a test. */
    static final int MAX_UNITS = 1 << 14;

    /** Most bulk memory of a test, bytes. */
    static final long MAX_TEST_BYTES = 1L << 30;

    private static final String MEMORY = "memory";
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;

    private final LNet lnet;
    private final RpcNode rpc;
    private final Host host;
    private final TestServices services;
    private final Duties duties = new Duties(this::tick);
    private final Calls calls;
    private final int sessionTimeout;
    private final Runnable everySecond;

    @GuardedBy("this")
    private final List<TargetSession> over = new ArrayList<>();

    @GuardedBy("this")
    private @Nullable TargetSession session;

    /**
     * Begins to serve.
     *
     * @param sessionTimeout after so long without a word from the console a session ends, s; 0 for never
     * @param rpcTimeout how long a call of a test may take, s
     * @param everySecond what else is to be done each second
     * @param memory returns memory outside the heap for bulk data, of so many bytes; throws OutOfMemoryError if there
     *     is none: then tests that need it are refused, and requests of others wait for what there is
     */
    public TestNode(
            LNet lnet,
            Host host,
            RpcNode rpc,
            int sessionTimeout,
            int rpcTimeout,
            Runnable everySecond,
            LongFunction<MemorySegment> memory) {
        this.lnet = lnet;
        this.rpc = rpc;
        this.host = host;
        this.sessionTimeout = sessionTimeout;
        this.everySecond = everySecond;
        this.calls = new Calls(rpc, duties, host.clock(), rpcTimeout * SECOND, memory);
        this.services = new TestServices(rpcTimeout * SECOND, memory, line -> rpc.log(MEMORY, line));
    }

    /** Serves from now on. */
    public void start() {
        duties.start(host);
        rpc.serve(Service.PING, TEST_REQUESTS, services::ping);
        rpc.serve(Service.BRW, TEST_REQUESTS, services::brw);
        rpc.serve(Service.MAKE_SESSION, FRAMEWORK_REQUESTS, this::framework);
        rpc.serve(Service.REMOVE_SESSION, FRAMEWORK_REQUESTS, this::framework);
        rpc.serve(Service.DEBUG, FRAMEWORK_REQUESTS, this::framework);
        rpc.serve(Service.BATCH, FRAMEWORK_REQUESTS, this::framework);
        rpc.serve(Service.TEST, FRAMEWORK_REQUESTS, this::framework);
        rpc.serve(Service.STAT, FRAMEWORK_REQUESTS, this::framework);
    }

    private void tick() {
        rpc.expire();
        TargetSession late;
        synchronized (this) {
            late = endIfLate();
        }
        abort(late);
        everySecond.run();
    }

    /** Ends the session if the console has said nothing for too long; returns it then. */
    @GuardedBy("this")
    private @Nullable TargetSession endIfLate() {
        TargetSession current = session;
        boolean late = current != null
                && sessionTimeout > 0
                && host.clock().nanoTime() - current.lastWord() >= sessionTimeout * SECOND;
        return late && current != null ? end(current) : null;
    }

    @GuardedBy("this")
    private TargetSession end(TargetSession current) {
        session = null;
        over.removeIf(each -> each.activeBatches() == 0);
        over.add(current);
        return current;
    }

    private static void abort(@Nullable TargetSession ended) {
        if (ended != null) {
            ended.abort();
        }
    }

    /** What there is to be done about a request when nothing is locked any more. */
    private record Outcome(@Nullable Reply reply, Runnable then) {
        static Outcome of(@Nullable Reply reply) {
            return new Outcome(reply, () -> {});
        }
    }

    private void framework(IncomingRequest request) {
        Outcome outcome;
        TargetSession late;
        int features;
        synchronized (this) {
            late = endIfLate();
            outcome = handle(request);
            TargetSession current = session;
            if (current != null) {
                current.heard(host.clock().nanoTime());
            }
            features = current == null ? RpcMessage.KNOWN_FEATURES : current.features();
        }
        abort(late);
        outcome.then.run();
        if (outcome.reply != null) {
            request.reply(features, outcome.reply);
        }
    }

    @GuardedBy("this")
    private SessionId current() {
        return session == null ? SessionId.NONE : session.id();
    }

    @GuardedBy("this")
    private SessionReply answer(Errno errno) {
        return new SessionReply(errno.number(), current());
    }

    @GuardedBy("this")
    private Outcome handle(IncomingRequest request) {
        boolean opens = request.service() == Service.MAKE_SESSION || request.service() == Service.DEBUG;
        boolean wrong = opens
                ? (request.features() & ~RpcMessage.KNOWN_FEATURES) != 0
                : session != null && request.features() != session.features();
        if (wrong) {
            // All replies have the session behind the status.
            return Outcome.of(answer(Errno.EPROTO));
        }
        return switch (request.request()) {
            case MakeSession asked -> make(asked, request.features());
            case BatchRequest asked -> batch(asked);
            case TestRequest asked -> test(asked, request);
            case SessionRequest asked ->
                switch (request.service()) {
                    case REMOVE_SESSION -> remove(asked.session());
                    case DEBUG -> Outcome.of(debug());
                    default -> Outcome.of(stat(asked.session()));
                };
            default -> Outcome.of(new StatusReply(Errno.EINVAL.number()));
        };
    }

    @GuardedBy("this")
    private Outcome make(MakeSession asked, int features) {
        if (asked.session().isNone()) {
            return Outcome.of(answer(Errno.EINVAL));
        }
        TargetSession known = session;
        if (known != null && known.id().equals(asked.session())) {
            known.join();
            return Outcome.of(new WelcomeReply(0, known.id(), sessionTimeout, ""));
        }
        if (known != null && !asked.force()) {
            return Outcome.of(new WelcomeReply(Errno.EBUSY.number(), known.id(), sessionTimeout, known.name()));
        }
        TargetSession old = known == null ? null : end(known);
        session = new TargetSession(
                asked.session(), asked.name(), features, host.clock().nanoTime());
        return new Outcome(new WelcomeReply(0, asked.session(), sessionTimeout, ""), () -> abort(old));
    }

    @GuardedBy("this")
    private @Nullable Errno refuse(SessionId asked, Errno none, Errno other) {
        if (asked.isNone()) {
            return Errno.EINVAL;
        }
        return session == null ? none : session.id().equals(asked) ? null : other;
    }

    @GuardedBy("this")
    private Outcome remove(SessionId asked) {
        TargetSession known = session;
        Errno refused = refuse(asked, Errno.ESRCH, Errno.EBUSY);
        if (refused != null || known == null) {
            return Outcome.of(answer(refused == null ? Errno.ESRCH : refused));
        }
        if (!known.leave()) {
            return Outcome.of(new SessionReply(0, known.id()));
        }
        end(known);
        return new Outcome(new SessionReply(0, SessionId.NONE), () -> abort(known));
    }

    @GuardedBy("this")
    private DebugReply debug() {
        TargetSession known = session;
        return known == null
                ? new DebugReply(Errno.ESRCH.number(), SessionId.NONE, sessionTimeout, 0, "")
                : new DebugReply(0, known.id(), sessionTimeout, known.batchCount(), known.name());
    }

    @GuardedBy("this")
    private Reply stat(SessionId asked) {
        TargetSession known = session;
        Errno refused = refuse(asked, Errno.ESRCH, Errno.ESRCH);
        if (refused != null || known == null) {
            return answer(refused == null ? Errno.ESRCH : refused);
        }
        over.removeIf(each -> each.activeBatches() == 0);
        long running = (host.clock().nanoTime() - known.began()) / MILLI;
        return new StatReply(
                0,
                known.id(),
                new StatReply.Framework(
                        (int) running,
                        known.activeBatches(),
                        over.size(),
                        known.failed().brws(),
                        known.failed().pings()),
                rpc.statistics(),
                StatReply.Lnet.of(lnet.statistics()));
    }

    @GuardedBy("this")
    private Outcome batch(BatchRequest asked) {
        TargetSession known = session;
        if (known == null || !known.id().equals(asked.session())) {
            return Outcome.of(new BatchReply(Errno.ESRCH.number(), current(), 0, 0));
        }
        Batch batch = known.batch(asked.batch());
        if (batch == null) {
            return Outcome.of(new BatchReply(Errno.ENOENT.number(), known.id(), 0, 0));
        }
        BatchReply done = new BatchReply(0, known.id(), 0, 0);
        return switch (asked.operation()) {
            case BatchRequest.RUN -> {
                List<ClientTest> tests = batch.toRun();
                yield new Outcome(done, () -> tests.forEach(ClientTest::start));
            }
            case BatchRequest.STOP -> new Outcome(done, () -> batch.stop(asked.argument() != 0));
            case BatchRequest.QUERY -> Outcome.of(query(known, batch, asked.test()));
            default -> Outcome.of(null);
        };
    }

    private static BatchReply query(TargetSession known, Batch batch, int test) {
        if (test < 0) {
            return new BatchReply(Errno.EINVAL.number(), known.id(), 0, 0);
        }
        if (test > batch.size()) {
            return new BatchReply(Errno.ENOENT.number(), known.id(), 0, 0);
        }
        return new BatchReply(0, known.id(), test == 0 ? batch.active() : batch.running(test), 0);
    }

    @GuardedBy("this")
    private Outcome test(TestRequest asked, IncomingRequest request) {
        Service service = Service.of(asked.service());
        boolean wrong = asked.loop() == 0
                || asked.concurrency() < 1
                || asked.concurrency() > MAX_CONCURRENCY
                || asked.targets() < 0
                || asked.targets() > TargetList.MAX_TARGETS
                || asked.isClient() && asked.targets() == 0
                || asked.session().isNone()
                || service == null
                || !service.isTest();
        if (wrong || service == null) {
            return Outcome.of(answer(Errno.EINVAL));
        }
        TargetSession known = session;
        if (known == null || !known.id().equals(asked.session())) {
            return Outcome.of(answer(Errno.ENOENT));
        }
        Batch batch = known.batchForTest(asked.batch());
        if (batch == null || batch.isFull()) {
            return Outcome.of(answer(Errno.ENOMEM));
        }
        if (batch.active() > 0) {
            return Outcome.of(answer(Errno.EBUSY));
        }
        if (!asked.isClient()) {
            batch.addServer();
            return Outcome.of(new SessionReply(0, known.id()));
        }
        return client(asked, service, known, batch, request);
    }

    @GuardedBy("this")
    private Outcome client(
            TestRequest asked, Service service, TargetSession known, Batch batch, IncomingRequest request) {
        TestPlan plan = TestPlan.of(asked, service, known.features());
        if (plan == null) {
            return Outcome.of(answer(Errno.EINVAL));
        }
        long units = (long) asked.targets() * asked.concurrency();
        if (units > MAX_UNITS || units * plan.bulkBytes() > MAX_TEST_BYTES) {
            return Outcome.of(answer(Errno.ENOMEM));
        }
        MemorySegment list = Arena.ofAuto().allocate(TargetList.bytes(asked.targets()), Long.BYTES);
        return new Outcome(
                null,
                () -> request.fetch(list, calls.limitNanos(), status -> {
                    if (status == 0) {
                        add(plan, TargetList.read(list, asked.targets(), request.order()), known, batch, request);
                    }
                }));
    }

    private void add(
            TestPlan plan, List<ProcessId> targets, TargetSession known, Batch batch, IncomingRequest request) {
        ClientTest test = make(plan, targets, known.failed());
        SessionReply reply;
        synchronized (this) {
            if (targets.stream().anyMatch(TestNode::isWildcard)) {
                reply = answer(Errno.EINVAL);
            } else if (session != known) {
                reply = answer(Errno.ENOENT);
            } else if (test == null) {
                reply = answer(Errno.ENOMEM);
            } else if (batch.active() > 0) {
                reply = answer(Errno.EBUSY);
            } else {
                batch.add(test);
                reply = new SessionReply(0, known.id());
            }
        }
        request.reply(known.features(), reply);
    }

    /** Tells whether a target is none: to wait for its reply would make the portal one for wildcards. */
    private static boolean isWildcard(ProcessId target) {
        return target.nid().isAny() || target.pid() == ProcessId.ANY_PID;
    }

    /** Returns a test that does not run yet; null if there is no memory for its bulk data. */
    private @Nullable ClientTest make(TestPlan plan, List<ProcessId> targets, FailedCalls failed) {
        try {
            return new ClientTest(plan, targets, calls, failed);
        } catch (OutOfMemoryError e) {
            rpc.log(
                    MEMORY,
                    "no memory for a test with " + targets.size() * plan.concurrency() + " times " + plan.bulkBytes()
                            + " bytes of bulk data (" + e.getMessage() + "); raise -XX:MaxDirectMemorySize");
            return null;
        }
    }

    /** Leaves the session and ends all tests. The calls of the node have to be closed as well. */
    @Override
    public void close() {
        TargetSession ended;
        synchronized (this) {
            ended = session == null ? null : end(session);
        }
        abort(ended);
        duties.close();
    }
}
