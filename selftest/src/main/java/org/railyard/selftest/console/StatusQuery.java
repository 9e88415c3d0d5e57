package org.railyard.selftest.console;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.railyard.base.Errno;
import org.railyard.base.host.NodeClock;
import org.railyard.selftest.api.NodeResult;
import org.railyard.selftest.api.NodeState;
import org.railyard.selftest.console.FanOut.Answer;
import org.railyard.selftest.console.FanOut.Question;
import org.railyard.selftest.rpc.RpcNode;
import org.railyard.selftest.wire.Reply;
import org.railyard.selftest.wire.RpcMessage;
import org.railyard.selftest.wire.Service;
import org.railyard.selftest.wire.SessionId;

/** Asks nodes of a session, and learns from their answers how they are. Thread-safe. */
public final class StatusQuery {
    private static final long SECOND = 1_000_000_000L;

    private final FanOut inquiry;
    private final NodeClock clock;
    private final Object lock;

    /**
     * Makes one.
     *
     * @param lock guards what is known of nodes
     */
    public StatusQuery(RpcNode rpc, NodeClock clock, Object lock) {
        this.inquiry = new FanOut(rpc);
        this.clock = clock;
        this.lock = lock;
    }

    /**
     * Asks.
     *
     * @param limitSeconds how long each may take to answer, s
     * @param question makes the request for a node
     * @param more what else an answer means; called with the lock held
     * @return the answers in the order of the nodes; never fails
     */
    public CompletionStage<List<NodeResult>> ask(
            ConsoleSession of,
            List<ConsoleNode> nodes,
            Service service,
            int limitSeconds,
            Function<ConsoleNode, Question> question,
            Consumer<Answer> more) {
        int features;
        synchronized (lock) {
            features = of.features();
            nodes.forEach(node -> node.asked(clock.nanoTime()));
        }
        return inquiry.ask(nodes, service, features, limitSeconds * SECOND, question)
                .thenApply(answers -> {
                    synchronized (lock) {
                        answers.forEach(answer -> learn(of, answer));
                        answers.forEach(more);
                        return answers.stream().map(StatusQuery::result).toList();
                    }
                });
    }

    private static NodeResult result(Answer answer) {
        return new NodeResult(
                answer.node().id(),
                answer.node().state(),
                answer.status(),
                answer.reply() == null ? null : answer.reply().body());
    }

    private static void learn(ConsoleSession of, Answer answer) {
        ConsoleNode node = answer.node();
        RpcMessage<Reply> reply = answer.reply();
        if (reply == null) {
            node.setState(NodeState.DOWN);
            return;
        }
        SessionId id = TestParts.sessionOf(reply.body());
        if (answer.status() == Errno.ESRCH.status() && (id == null || id.isNone())) {
            node.setState(NodeState.UNKNOWN);
        } else if (id != null) {
            node.setState(id.equals(of.id()) ? NodeState.ACTIVE : id.isNone() ? NodeState.UNKNOWN : NodeState.BUSY);
        }
    }
}
