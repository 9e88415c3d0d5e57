package org.railyard.selftest.api;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.wire.Reply;
import org.railyard.selftest.wire.Request;
import org.railyard.selftest.wire.Service;

/**
 * Watches the calls that a node makes and serves, from outside: for those who check selftest itself. Called by any
 * thread, in the order in which things happen to a call, with no lock held; it must not block and must not throw.
 */
public interface RpcWatch {
    /** Watches nothing. */
    RpcWatch NONE = new RpcWatch() {};

    /**
     * The node begins a call.
     *
     * @param request its reply id names the call: no other of this node has it
     * @param bulk memory that the called node fills or reads; null if there is none
     * @param limitNanos how long it may take, ns
     */
    default void called(
            ProcessId target, Service service, Request request, @Nullable MemorySegment bulk, long limitNanos) {}

    /**
     * A call is over; bulk memory is as the called node has left it.
     *
     * @param replyId names the call
     * @param status 0 if a reply came, otherwise a negative errno
     * @param reply what came; null with any other status than 0
     */
    default void ended(long replyId, int status, @Nullable Reply reply) {}

    /** A request came, and is served now. */
    default void asked(ProcessId from, Service service, Request request) {}

    /** A request is answered: the reply is about to leave. */
    default void answered(ProcessId to, Request request, Reply reply) {}

    /**
     * Bulk data of a request is about to be read from who asks.
     *
     * @param memory where it comes; its content means nothing yet
     */
    default void fetching(ProcessId from, Request request, MemorySegment memory) {}

    /**
     * Bulk data of a request was moved, or not.
     *
     * @param fetched whether it was read from who asked; otherwise it was written
     * @param memory where it is
     * @param status 0, or a negative errno
     */
    default void moved(ProcessId peer, Request request, boolean fetched, MemorySegment memory, int status) {}
}
