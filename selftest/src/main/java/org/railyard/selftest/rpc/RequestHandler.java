package org.railyard.selftest.rpc;

/** Serves requests. Called by any thread, by several at once, with no lock held; it must not block. */
@FunctionalInterface
public interface RequestHandler {
    /** Serves a request: it is answered through {@link IncomingRequest#reply}, now or later, or not at all. */
    void handle(IncomingRequest request);
}
