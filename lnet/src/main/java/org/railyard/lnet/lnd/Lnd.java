package org.railyard.lnet.lnd;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.MessageType;

/**
 * A transport: an LNet network driver (spec 10 §22). Knows connections and bytes; knows nothing of peers-of-peers,
 * health or routes. Thread-safe; the stack calls it with no lock held.
 */
public interface Lnd extends AutoCloseable {
    /** Returns the type of the nets it serves. */
    NetType type();

    /**
     * Finds the device for a request; starts nothing.
     *
     * @throws ErrnoException ENETDOWN if there is no such device or it has no usable address, EINVAL if a tunable is
     *     out of range
     */
    NiBinding resolve(NiRequest request);

    /**
     * Starts an NI: from now on it may receive.
     *
     * @throws ErrnoException EADDRINUSE, EPERM … if it can not listen
     */
    void startup(LndNi ni);

    /** Stops an NI: closes its connections and completes its messages with ESHUTDOWN before it returns. */
    void shutdown(LndNi ni);

    /**
     * Sends a message. Never waits for the network.
     *
     * @return 0 if the message was taken, to be completed through {@link LndUpcalls#complete} (maybe already); or a
     *     negative errno if it was not taken; an exception counts as not taken
     */
    int send(LndNi ni, LndMessage message);

    /**
     * Sends messages one behind the other as {@link #send} does, as far as that costs less than one at a time: those
     * that need no decision of their own. Never waits for the network. By default none is taken.
     *
     * @param messages all from this NI; the array is the caller's, who uses it again when this returns
     * @param count how many there are, from the first place on
     * @return how many were taken, from the first place on, 0…{@code count}; whether the next one can be sent is for
     *     {@link #send} to say. An exception counts as none taken
     */
    default int sendSome(LndNi ni, @Nullable LndMessage[] messages, int count) {
        return 0;
    }

    /**
     * A peer was found dead by others: closes the connections to it that are left, so that nothing waits for them to
     * time out; what is on them ends as if they had broken. Sending to it later connects anew. Does not wait; by
     * default nothing is done.
     *
     * @param ni one that was started here
     * @param peer the NID of the peer
     */
    default void dropConnections(LndNi ni, Nid peer) {}

    /**
     * Returns the connections with each peer that the transport knows, in the order of their NIDs. Only looks: no peer
     * is dialled, and nothing is told to the stack. Does not wait for the network; by default nothing is known.
     *
     * @param ni one that was started here
     */
    default List<PeerConnections> connections(LndNi ni) {
        return List.of();
    }

    /**
     * Returns the transport's own time limit for a message, s; 0 to use the stack's. Where NIs differ it is the
     * longest: each keeps to its own. Takes no lock and does not wait: it may be called with locks held.
     */
    int timeoutSeconds();

    /**
     * Returns the name of the device of an NI as it is now; {@link LndNi#interfaceName} is the one that it was started
     * with. Takes no lock: it may be called with locks held.
     *
     * @param ni one that was started here
     */
    default String deviceName(LndNi ni) {
        return ni.interfaceName();
    }

    /**
     * Returns the tunables of the transport that count for an NI now, by their names in YAML, in the order of output
     * (spec 12 §4.2).
     *
     * @param ni one that was started here
     */
    default Map<String, Integer> tunables(LndNi ni) {
        return ni.lndTunables();
    }

    /**
     * Returns the same tunables with what was asked for where another value counts for it, such as 0 for a limit of the
     * stack: given to {@link #tune}, or to another start, they come to the same.
     *
     * @param ni one that was started here
     */
    default Map<String, Integer> wantedTunables(LndNi ni) {
        return tunables(ni);
    }

    /**
     * Changes tunables of the transport for an NI while it runs. What is under way may go on as it was; what begins
     * from now on follows.
     *
     * @param ni one that was started here
     * @param changes by their names in YAML
     * @throws ErrnoException EINVAL if there is no such tunable or it is out of range, EOPNOTSUPP if it can not be
     *     changed now; then nothing changes
     */
    default void tune(LndNi ni, Map<String, Integer> changes) {
        throw new ErrnoException(Errno.EOPNOTSUPP, "tunables of " + type() + " are fixed when an NI starts");
    }

    /**
     * Returns how many messages of the transport one message takes that follow each other, so that each gets its share
     * of the time: 2 for a PUT with a handshake, for example. Takes no lock.
     *
     * @param type the type of the message
     * @param payload its payload, bytes
     */
    default int messagesPer(MessageType type, int payload) {
        return 1;
    }

    /** Stops what is left and gives back all resources. */
    @Override
    void close();
}
