package org.railyard.verbs;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection, to be or in being (spec 20 §2). Belongs to a loop. What takes time is answered by a {@link
 * CmEvent}; what can not be begun throws a {@link VerbsException}, EINVAL if it is not the time for it.
 */
public interface CmId extends AutoCloseable {
    /**
     * Takes an address; with port 0, any free port. With 0.0.0.0 it listens at all addresses, or connects from that of
     * the port that leads to the peer.
     *
     * @param reuse whether the address may be in use, though not for listening
     * @throws VerbsException EADDRNOTAVAIL if no device has the address, EADDRINUSE if it is taken
     */
    void bind(CmAddress local, boolean reuse);

    /**
     * Waits for requests to the address it is bound to.
     *
     * @throws VerbsException EADDRINUSE if somebody listens there
     */
    void listen();

    /** Returns its own address; 0.0.0.0:0 as long as it has none. */
    CmAddress localAddress();

    /** Returns the peer's address; 0.0.0.0:0 as long as it has none. */
    CmAddress remoteAddress();

    /**
     * Finds the peer and the device that leads to it: {@link CmEvent.Type#ADDRESS_RESOLVED} or {@link
     * CmEvent.Type#ADDRESS_ERROR}.
     *
     * @param timeoutNanos how long that may take, ns
     */
    void resolveAddress(CmAddress destination, long timeoutNanos);

    /**
     * Finds the path to the peer: {@link CmEvent.Type#ROUTE_RESOLVED} or {@link CmEvent.Type#ROUTE_ERROR}.
     *
     * @param typeOfService 0…255, or −1 for none; the service level that is wanted is in its upper bits
     * @param timeoutNanos how long that may take, ns
     */
    void resolveRoute(int typeOfService, long timeoutNanos);

    /** Returns the device; null as long as it is not known. */
    @Nullable
    VerbsDevice device();

    /** Returns the port of the device, from 1; 0 as long as it is not known. */
    int port();

    /** Returns the path; null as long as it is not known. */
    @Nullable
    PathRecord path();

    /**
     * Makes the queue pair of the connection, in state {@link Qp.State#INIT}.
     *
     * @param cq for both queues; it must belong to the same loop
     * @throws VerbsException EINVAL beyond the limits of the device, ENOMEM if the device can not give that much now
     */
    Qp createQp(Pd pd, Cq cq, QpCapabilities capabilities);

    /**
     * Asks the peer for the connection: {@link CmEvent.Type#ESTABLISHED}, {@link CmEvent.Type#REJECTED} or {@link
     * CmEvent.Type#UNREACHABLE}.
     *
     * @param privateData at most {@link PrivateData#REQUEST_BYTES}
     */
    void connect(ConnectParameters parameters, MemorySegment privateData);

    /**
     * Accepts a request: {@link CmEvent.Type#ESTABLISHED} when the peer knows it.
     *
     * @param privateData at most {@link PrivateData#REPLY_BYTES}
     */
    void accept(ConnectParameters parameters, MemorySegment privateData);

    /**
     * Turns a request down, for the reason {@link CmRejectReason#CONSUMER_DEFINED}.
     *
     * @param privateData at most {@link PrivateData#REJECT_BYTES}
     */
    void reject(MemorySegment privateData);

    /** Tells that a message came over the queue pair, so that the connection must be up; no effect if that is known. */
    void communicationEstablished();

    /**
     * Ends the connection: puts the queue pair in error and tells the peer; {@link CmEvent.Type#DISCONNECTED} on both
     * sides. No effect if there is none.
     */
    void disconnect();

    /**
     * Gives it back, with its queue pair; nothing is heard of it any more. A connection breaks off; a request is turned
     * down.
     */
    @Override
    void close();
}
