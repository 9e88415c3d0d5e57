package org.railyard.selftest.console;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.railyard.selftest.rpc.BulkMemory;
import org.railyard.selftest.rpc.RpcNode;
import org.railyard.selftest.wire.Reply;
import org.railyard.selftest.wire.Request;
import org.railyard.selftest.wire.RpcMessage;
import org.railyard.selftest.wire.Service;

/** Asks many nodes the same at once, and waits for all answers. Thread-safe. */
public final class FanOut {
    /**
     * What is asked of a node.
     *
     * @param request the request
     * @param bulk bulk memory, null if there is none
     */
    public record Question(Request request, @Nullable BulkMemory bulk) {}

    /**
     * What came of it.
     *
     * @param node whom
     * @param status 0, or a negative errno: of the node if there is a reply, otherwise of the call
     * @param reply what it answered, null if it did not
     */
    public record Answer(
            ConsoleNode node, int status, @Nullable RpcMessage<Reply> reply) {}

    private final RpcNode rpc;

    /** Makes one that asks through the calls of this node. */
    public FanOut(RpcNode rpc) {
        this.rpc = rpc;
    }

    /**
     * Asks.
     *
     * @param features feature bits of the requests
     * @param limitNanos how long each may take, ns
     * @param question makes the request for a node
     * @return the answers in the order of the nodes; never fails
     */
    public CompletionStage<List<Answer>> ask(
            List<ConsoleNode> nodes,
            Service service,
            int features,
            long limitNanos,
            Function<ConsoleNode, Question> question) {
        List<CompletableFuture<Answer>> all = new ArrayList<>();
        for (ConsoleNode node : nodes) {
            CompletableFuture<Answer> one = new CompletableFuture<>();
            all.add(one);
            Question asked = question.apply(node);
            rpc.call(
                    node.id(),
                    service,
                    features,
                    asked.request(),
                    asked.bulk(),
                    limitNanos,
                    (status, reply) -> one.complete(new Answer(
                            node, reply == null ? status : -reply.body().status(), reply)));
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .thenApply(_ -> all.stream().map(CompletableFuture::join).toList());
    }
}
