package org.railyard.selftest.rpc;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.function.IntConsumer;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.wire.Reply;
import org.railyard.selftest.wire.Request;
import org.railyard.selftest.wire.Service;

/**
 * A request that came.
 *
 * @param node where
 * @param service which service it is for
 * @param self the NID of this node that it was sent to, from which the reply must come
 * @param from who asks
 * @param features feature bits
 * @param order how who asks writes numbers, those of bulk data among them
 * @param request what is asked
 */
public record IncomingRequest(
        RpcNode node, Service service, Nid self, ProcessId from, int features, ByteOrder order, Request request) {
    /** Answers. */
    public void reply(int replyFeatures, Reply reply) {
        node.reply(this, replyFeatures, reply);
    }

    /**
     * Writes bulk data to the memory that the caller has prepared.
     *
     * @param memory not to be changed until it is over
     * @param then gets 0 when the data has left, otherwise a negative errno
     */
    public void send(MemorySegment memory, IntConsumer then) {
        node.send(this, memory, then);
    }

    /**
     * Reads bulk data from the memory that the caller has prepared.
     *
     * @param memory filled when it is over
     * @param limitNanos how long it may take, ns: who has gone says nothing
     * @param then gets 0 when all of it is there, otherwise a negative errno
     */
    public void fetch(MemorySegment memory, long limitNanos, IntConsumer then) {
        node.fetch(this, memory, limitNanos, then);
    }
}
