package org.railyard.socklnd.connection;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.ni.SockContext;
import org.railyard.socklnd.wire.FrameHeader;
import org.railyard.socklnd.wire.ProtocolVersion;

/** The peer that a connection belongs to, as the connection sees it. Thread-safe; called without locks. */
public interface ConnectionOwner {
    /** Returns what all parts of the transport share. */
    SockContext context();

    /** Returns the NI that the peer is reached through. */
    LndNi lndNi();

    /** Returns the NID of the peer. */
    Nid nid();

    /** Returns the process id of the peer. */
    int pid();

    /** Acknowledges a zero-copy request that came over {@code carrier}. */
    void sendAck(Connection carrier, long cookie);

    /**
     * Takes what a frame acknowledges.
     *
     * @throws WireFormatException if it names a cookie that waits for no ack
     */
    void acknowledged(FrameHeader frame, ProtocolVersion version) throws WireFormatException;

    /** Tells whether a message asks for a zero-copy ack. */
    boolean wantsAck(LndMessage message);

    /** Notes a message that leaves over {@code carrier} and waits for a zero-copy ack, and returns its cookie. */
    long newCookie(Connection carrier, LndMessage message);

    /** All of a message with a cookie has left. Returns it if it is complete; otherwise its ack completes it. */
    @Nullable
    LndMessage left(long cookie);

    /** Forgets a message that got a cookie and does not leave after all, and returns it. */
    @Nullable
    LndMessage forgetCookie(long cookie);

    /** Notes when something was received, ns of the node's clock. */
    void noteAlive(long nanos);

    /** Returns when something was received last; a number that changes with every receipt. */
    long lastAliveNanos();

    /**
     * Closes a connection and all others with its remote address, and gives back what they have not sent (spec 02 §11).
     * Does nothing if the connection has been closed already: those made since are not to blame.
     *
     * @param health of a message that is on its way
     */
    void connectionFailed(Connection failed, Errno errno, HealthStatus health);

    /**
     * As {@link #connectionFailed}, because of an error of the connection's socket: the log tells of it.
     *
     * @param health of a message that is on its way
     */
    void connectionBroke(Connection broken, IOException cause, HealthStatus health);
}
