package org.railyard.selftest;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.NodeClock;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.api.BatchView;
import org.railyard.selftest.api.GroupView;
import org.railyard.selftest.api.NodeResult;
import org.railyard.selftest.api.NodeState;
import org.railyard.selftest.api.NodeView;
import org.railyard.selftest.api.SessionView;
import org.railyard.selftest.api.TestSpec;
import org.railyard.selftest.api.Who;
import org.railyard.selftest.console.Admission;
import org.railyard.selftest.console.ConsoleBatch;
import org.railyard.selftest.console.ConsoleNode;
import org.railyard.selftest.console.ConsoleSession;
import org.railyard.selftest.console.ConsoleTest;
import org.railyard.selftest.console.FanOut.Answer;
import org.railyard.selftest.console.FanOut.Question;
import org.railyard.selftest.console.Group;
import org.railyard.selftest.console.SessionEnd;
import org.railyard.selftest.console.StatusQuery;
import org.railyard.selftest.console.TestParts;
import org.railyard.selftest.rpc.IncomingRequest;
import org.railyard.selftest.rpc.RpcNode;
import org.railyard.selftest.wire.BatchRequest;
import org.railyard.selftest.wire.MakeSession;
import org.railyard.selftest.wire.Reply;
import org.railyard.selftest.wire.RpcMessage;
import org.railyard.selftest.wire.Service;
import org.railyard.selftest.wire.SessionId;
import org.railyard.selftest.wire.SessionRequest;
import org.railyard.selftest.wire.WelcomeReply;

/**
 * A console: tells nodes of groups what to test, and asks them how it goes (spec 03 §6). There is at most one session
 * at a time; who uses it must know its key. Calls do not wait: their answers are stages, and what a node refuses is
 * part of the answer. Thread-safe.
 */
public final class Console {
    /** How long a session lives without use unless it says otherwise, s. */
    public static final int DEFAULT_TIMEOUT = 300;

    /** Shortest and longest time that nodes have for an answer, s. */
    public static final int MIN_LIMIT = 3;

    /** See {@link #MIN_LIMIT}. */
    public static final int MAX_LIMIT = 30;

    private static final long MILLI = 1_000_000L;
    private static final int PING_INTERVAL = 8;

    private final RpcNode rpc;
    private final NodeClock clock;
    private final StatusQuery survey;
    private final SessionEnd farewell;

    @GuardedBy("this")
    private @Nullable ConsoleSession session;

    @GuardedBy("this")
    private int seconds;

    Console(RpcNode rpc, NodeClock clock) {
        this.rpc = rpc;
        this.clock = clock;
        this.survey = new StatusQuery(rpc, clock, this);
        this.farewell = new SessionEnd(rpc, survey);
    }

    /**
     * Begins a session.
     *
     * @param name its name, up to 31 bytes
     * @param key what those must know who use it
     * @param timeoutSeconds after so long without use it ends, s; 0 for never
     * @param force whether it may end this console's session, and take nodes from sessions of others
     * @param features feature bits wanted: 1, or 0 for nodes that are very old
     * @throws ErrnoException EEXIST if there is a session, EINVAL for a bad name, ENETDOWN if this node has no NID with
     *     an IPv4 address
     */
    public SessionView newSession(String name, int key, int timeoutSeconds, boolean force, int features) {
        Nid self = rpc.firstNid4()
                .orElseThrow(() -> new ErrnoException(
                        Errno.ENETDOWN, "a session needs an NI with an IPv4 address, which its name is made of"));
        List<ConsoleNode> left;
        SessionView view;
        ConsoleSession old;
        synchronized (this) {
            old = session;
            if (old != null && !force) {
                throw new ErrnoException(
                        Errno.EEXIST,
                        "there is a session already, '" + old.name() + "'; end it with end_session, or use --force");
            }
            SessionId id = new SessionId(self.nid4(), clock.wallNanos() / MILLI);
            session = new ConsoleSession(name, key, timeoutSeconds, force, id, features, clock.nanoTime());
            left = old == null ? List.of() : List.copyOf(old.nodes());
            view = session.view();
        }
        if (old != null) {
            farewell.dismiss(old, left);
        }
        return view;
    }

    private Question sessionRequest(ConsoleSession of) {
        return new Question(new SessionRequest(rpc.nextId(), of.id(), 0), null);
    }

    @GuardedBy("this")
    private ConsoleSession current(int key) {
        ConsoleSession known = session;
        if (known == null) {
            throw new ErrnoException(Errno.ESRCH, "there is no session; begin one with 'lst new_session NAME'");
        }
        if (known.key() != key) {
            throw new ErrnoException(
                    Errno.EPERM,
                    "the session '" + known.name() + "' has another key, " + known.key() + ", than this command, " + key
                            + "; type: export LST_SESSION=" + known.key());
        }
        known.use(clock.nanoTime());
        return known;
    }

    /**
     * Ends the session: nodes leave it.
     *
     * @return what the nodes said
     * @throws ErrnoException ESRCH if there is none, EPERM for another key
     */
    public CompletionStage<List<NodeResult>> endSession(int key) {
        ConsoleSession known;
        List<ConsoleNode> nodes;
        synchronized (this) {
            known = current(key);
            nodes = List.copyOf(known.nodes());
            session = null;
        }
        return farewell.dismiss(known, nodes);
    }

    /** Returns the session; null if there is none. Needs no key. */
    public synchronized @Nullable SessionView session() {
        return session == null ? null : session.view();
    }

    private static int limit(int seconds) {
        return Math.clamp(seconds, MIN_LIMIT, MAX_LIMIT);
    }

    /**
     * Takes nodes into a group, and into the session if they are not in it.
     *
     * @param group made if there is none
     * @param nodes by their primary NIDs
     * @return what they said, those that are in the session already first; those that refused are in the group as well,
     *     as busy, down or unknown
     * @throws ErrnoException EINVAL for a bad name or a node without an IPv4 address, ENOSPC, ESRCH, EPERM
     */
    public CompletionStage<List<NodeResult>> addToGroup(int key, String group, List<ProcessId> nodes) {
        ConsoleSession known;
        List<ConsoleNode> added;
        synchronized (this) {
            known = current(key);
            added = known.add(group, nodes);
        }
        return invite(known, added);
    }

    /** Asks nodes to take part; those that do already are not asked. */
    private CompletionStage<List<NodeResult>> invite(ConsoleSession known, List<ConsoleNode> nodes) {
        List<ConsoleNode> missing;
        synchronized (this) {
            missing = nodes.stream()
                    .filter(node -> node.state() != NodeState.ACTIVE)
                    .toList();
        }
        Set<ConsoleNode> asked = Set.copyOf(missing);
        List<NodeResult> there = nodes.stream()
                .filter(node -> !asked.contains(node))
                .map(node -> new NodeResult(node.id(), NodeState.ACTIVE, 0, null))
                .toList();
        return survey.ask(
                        known,
                        missing,
                        Service.MAKE_SESSION,
                        MAX_LIMIT,
                        _ -> new Question(new MakeSession(rpc.nextId(), known.id(), known.force(), known.name()), null),
                        answer -> welcome(known, answer))
                .thenApply(answers ->
                        Stream.concat(there.stream(), answers.stream()).toList());
    }

    private static void welcome(ConsoleSession known, Answer answer) {
        RpcMessage<Reply> reply = answer.reply();
        if (answer.status() == 0 && reply != null && reply.body() instanceof WelcomeReply welcome) {
            answer.node().setTimeout(welcome.timeout());
            if (!known.agrees(reply.features())) {
                // One that speaks otherwise can not take part.
                answer.node().setState(NodeState.UNKNOWN);
            }
        }
    }

    /**
     * Asks the nodes of a group that are not in the session once more.
     *
     * @throws ErrnoException ENOENT, ESRCH, EPERM
     */
    public CompletionStage<List<NodeResult>> refreshGroup(int key, String group) {
        ConsoleSession known;
        List<ConsoleNode> nodes;
        synchronized (this) {
            known = current(key);
            nodes = List.copyOf(known.group(group).nodes());
        }
        return invite(known, nodes);
    }

    /**
     * Takes nodes out of a group that a test tells.
     *
     * @param which tells which nodes
     * @return how many there were
     * @throws ErrnoException ENOENT, ESRCH, EPERM; EBUSY if the group is part of a test
     */
    public synchronized int removeFromGroup(int key, String group, Predicate<NodeView> which) {
        ConsoleSession known = current(key);
        Group found = known.group(group);
        if (known.batches().stream().anyMatch(batch -> batch.uses(found))) {
            throw new ErrnoException(Errno.EBUSY, "group '" + group + "' is part of a test");
        }
        List<ProcessId> gone =
                found.view().stream().filter(which).map(NodeView::node).toList();
        gone.forEach(found::remove);
        known.forgetNodesWithoutGroup();
        return gone.size();
    }

    /**
     * Takes a group away; its nodes stay in the session until it ends.
     *
     * @throws ErrnoException ENOENT, ESRCH, EPERM; EBUSY if it is part of a test
     */
    public synchronized void deleteGroup(int key, String group) {
        current(key).removeGroup(group);
    }

    /** Returns the groups by name, in the order in which they were made. */
    public synchronized List<GroupView> groups(int key) {
        return current(key).groups().stream()
                .map(group -> new GroupView(group.name(), group.view()))
                .toList();
    }

    /**
     * Asks nodes in which session they are.
     *
     * @param who group, nodes, or all
     * @throws ErrnoException ENOENT, ESRCH, EPERM
     */
    public CompletionStage<List<NodeResult>> debug(int key, Who who, int limitSeconds) {
        ConsoleSession known = use(key);
        return survey.ask(
                known, find(known, who), Service.DEBUG, limit(limitSeconds), _ -> sessionRequest(known), _ -> {});
    }

    /**
     * Asks nodes what they have counted.
     *
     * @param who group, nodes, or all
     * @throws ErrnoException ENOENT, ESRCH, EPERM
     */
    public CompletionStage<List<NodeResult>> statistics(int key, Who who, int limitSeconds) {
        ConsoleSession known = use(key);
        return survey.ask(
                known, find(known, who), Service.STAT, limit(limitSeconds), _ -> sessionRequest(known), _ -> {});
    }

    private synchronized ConsoleSession use(int key) {
        return current(key);
    }

    private synchronized List<ConsoleNode> find(ConsoleSession known, Who who) {
        return known.find(who);
    }

    /**
     * Makes a batch.
     *
     * @throws ErrnoException EEXIST, EINVAL, ENOSPC, ESRCH, EPERM
     */
    public synchronized void addBatch(int key, String batch) {
        current(key).addBatch(batch);
    }

    /** Returns the batches, in the order in which they were made. */
    public synchronized List<BatchView> batches(int key) {
        return current(key).batches().stream().map(ConsoleBatch::view).toList();
    }

    /**
     * Adds a test to a batch: first those that are called get to know their part, then those that call.
     *
     * @return what they said; the test is part of the batch if one of each side took its part
     * @throws ErrnoException ENOENT, EINVAL, ENOSPC, ESRCH, EPERM; EBUSY if the batch runs
     */
    public CompletionStage<List<NodeResult>> addTest(int key, String batchName, TestSpec spec) {
        ConsoleSession known;
        ConsoleBatch batch;
        ConsoleTest test;
        TestParts parts;
        synchronized (this) {
            known = current(key);
            batch = known.batch(batchName);
            if (batch.isRunning()) {
                throw new ErrnoException(Errno.EBUSY, "batch '" + batchName + "' runs; stop it first");
            }
            if (batch.tests().size() == ConsoleSession.MAX_TESTS) {
                throw new ErrnoException(
                        Errno.ENOSPC,
                        "batch '" + batchName + "' has " + ConsoleSession.MAX_TESTS + " tests, the limit");
            }
            test = new ConsoleTest(0, spec, known.group(spec.from()), known.group(spec.to()));
            parts = new TestParts(rpc, known, batch, test);
        }
        return survey.ask(known, parts.servers(), Service.TEST, MAX_LIMIT, parts::server, _ -> {})
                .thenCompose(
                        first -> survey.ask(known, parts.clients(), Service.TEST, MAX_LIMIT, parts::client, _ -> {})
                                .thenApply(second -> added(batch, test, first, second)));
    }

    private synchronized List<NodeResult> added(
            ConsoleBatch batch, ConsoleTest test, List<NodeResult> servers, List<NodeResult> clients) {
        if (servers.stream().anyMatch(each -> each.status() == 0)
                && clients.stream().anyMatch(each -> each.status() == 0)) {
            batch.tests().add(test.withIndex(batch.tests().size() + 1));
        }
        List<NodeResult> all = new ArrayList<>(servers);
        all.addAll(clients);
        return all;
    }

    /**
     * Starts the tests of a batch.
     *
     * @throws ErrnoException ENOENT if there is no such batch or it has no tests, ESRCH, EPERM
     */
    public CompletionStage<List<NodeResult>> run(int key, String batch, int limitSeconds) {
        return command(key, batch, BatchRequest.RUN, 0, 0, limitSeconds);
    }

    /**
     * Stops the tests of a batch.
     *
     * @param force whether to end calls that are under way
     * @throws ErrnoException ENOENT, ESRCH, EPERM
     */
    public CompletionStage<List<NodeResult>> stop(int key, String batch, boolean force, int limitSeconds) {
        return command(key, batch, BatchRequest.STOP, 0, force ? 1 : 0, limitSeconds)
                .thenApply(all -> all.stream().map(Console::forgiven).toList());
    }

    /** A node that may not be stopped by this console does not run for it either. */
    private static NodeResult forgiven(NodeResult result) {
        return result.status() == Errno.EPERM.status()
                ? new NodeResult(result.node(), result.state(), 0, result.reply())
                : result;
    }

    /**
     * Asks how many tests of a batch, or units of a test, are running.
     *
     * @param test number of the test, from 1 on; 0 for all
     * @return replies are {@link org.railyard.selftest.wire.BatchReply}s
     * @throws ErrnoException ENOENT, ESRCH, EPERM
     */
    public CompletionStage<List<NodeResult>> query(int key, String batch, int test, int limitSeconds) {
        return command(key, batch, BatchRequest.QUERY, test, 0, limitSeconds);
    }

    private CompletionStage<List<NodeResult>> command(
            int key, String name, int operation, int test, int argument, int limitSeconds) {
        ConsoleSession known;
        ConsoleBatch batch;
        List<ConsoleNode> clients;
        synchronized (this) {
            known = current(key);
            batch = known.batch(name);
            clients = batch.clients();
            if (clients.isEmpty()) {
                throw new ErrnoException(Errno.ENOENT, "batch '" + name + "' has no tests");
            }
            if (operation != BatchRequest.QUERY) {
                batch.setRunning(operation == BatchRequest.RUN);
            }
        }
        return survey.ask(
                known,
                clients,
                Service.BATCH,
                limit(limitSeconds),
                _ -> new Question(
                        new BatchRequest(rpc.nextId(), known.id(), batch.id(), operation, test, argument), null),
                _ -> {});
    }

    /** Serves a node that asks for a place in a group. */
    void join(IncomingRequest asked) {
        WelcomeReply reply;
        int features;
        synchronized (this) {
            reply = Admission.admit(session, asked);
            features = Admission.features(session);
        }
        asked.reply(features, reply);
    }

    /**
     * Called every second: nodes that were not asked for a while are, so that they do not leave; a session that nobody
     * uses ends.
     */
    void tick() {
        ConsoleSession known;
        List<ConsoleNode> quiet = List.of();
        boolean idle;
        synchronized (this) {
            known = session;
            if (known == null) {
                return;
            }
            idle = known.isIdle(clock.nanoTime());
            if (idle) {
                session = null;
            } else if (++seconds % PING_INTERVAL == 0) {
                long now = clock.nanoTime();
                quiet = known.nodes().stream().filter(node -> node.isQuiet(now)).toList();
            }
        }
        if (idle) {
            farewell.dismiss(known, List.copyOf(known.nodes()));
        } else if (!quiet.isEmpty()) {
            survey.ask(known, quiet, Service.DEBUG, MAX_LIMIT, _ -> sessionRequest(known), _ -> {});
        }
    }

    /** Waits for nobody: what is under way is answered, or ends with the calls of the node. */
    synchronized void close() {
        session = null;
    }
}
