package org.railyard.selftest.console;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.railyard.selftest.api.NodeResult;
import org.railyard.selftest.api.NodeState;
import org.railyard.selftest.console.FanOut.Question;
import org.railyard.selftest.rpc.RpcNode;
import org.railyard.selftest.wire.Service;
import org.railyard.selftest.wire.SessionRequest;

/** Lets nodes leave a session that ends (spec 03 §3.3, §6). Thread-safe. */
public final class SessionEnd {
    /** Most groups that a node can have been added to at once, for it to leave all the same. */
    static final int MOST_TIMES = 16;

    private static final int LIMIT_SECONDS = 30;

    private final RpcNode rpc;
    private final StatusQuery survey;

    /** Makes one that asks through the calls of this node. */
    public SessionEnd(RpcNode rpc, StatusQuery survey) {
        this.rpc = rpc;
        this.survey = survey;
    }

    /**
     * Asks nodes to leave. A node leaves when it was asked to as often as it was asked to take part, which is several
     * times if it was added to several groups at once: one that says that it is still there is asked again, at most
     * {@value #MOST_TIMES} times in all.
     *
     * @return the last answers in the order of the nodes; never fails
     */
    public CompletionStage<List<NodeResult>> dismiss(ConsoleSession session, List<ConsoleNode> nodes) {
        return dismiss(session, nodes, MOST_TIMES);
    }

    private CompletionStage<List<NodeResult>> dismiss(ConsoleSession session, List<ConsoleNode> nodes, int times) {
        return survey.ask(
                        session,
                        nodes,
                        Service.REMOVE_SESSION,
                        LIMIT_SECONDS,
                        _ -> new Question(new SessionRequest(rpc.nextId(), session.id(), 0), null),
                        _ -> {})
                .thenCompose(results -> {
                    List<ConsoleNode> left = new ArrayList<>();
                    List<Integer> places = new ArrayList<>();
                    for (int i = 0; i < results.size(); i++) {
                        if (results.get(i).status() == 0 && results.get(i).state() == NodeState.ACTIVE) {
                            left.add(nodes.get(i));
                            places.add(i);
                        }
                    }
                    if (left.isEmpty() || times == 1) {
                        return CompletableFuture.completedStage(results);
                    }
                    return dismiss(session, left, times - 1).thenApply(last -> {
                        List<NodeResult> all = new ArrayList<>(results);
                        for (int i = 0; i < places.size(); i++) {
                            all.set(places.get(i), last.get(i));
                        }
                        return all;
                    });
                });
    }
}
