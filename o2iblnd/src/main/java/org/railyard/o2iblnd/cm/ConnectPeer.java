package org.railyard.o2iblnd.cm;

import java.lang.foreign.MemorySegment;
import org.railyard.o2iblnd.connection.ConnectionOwner;
import org.railyard.o2iblnd.connection.IbConn;
import org.railyard.o2iblnd.ni.NiContext;
import org.railyard.o2iblnd.transfer.Card;
import org.railyard.o2iblnd.wire.ConnectionParameters;

/** A peer on one route, as the connection manager's side sees it. Belongs to the loop. */
public interface ConnectPeer extends ConnectionOwner {
    /** Returns the NI that the peer is reached through. */
    NiContext ni();

    /**
     * Returns the device of the route.
     *
     * @throws org.railyard.verbs.VerbsException ENODEV if it is not open
     */
    Card card();

    /** Returns the address of the interface of the route, first octet in the highest bits. */
    int localIp();

    /** Returns the address of the peer, first octet in the highest bits. */
    int ip();

    /** Returns the version of the protocol to speak with it. */
    int version();

    /** Returns what is asked of it: the limits that it once agreed to, or this node's. */
    ConnectionParameters limits();

    /** Notes what the peer can do, as its answer said. */
    void setLimits(ConnectionParameters value);

    /** Tells whether connections with another incarnation, or in another version, are known. */
    boolean differs(int otherVersion, long otherStamp);

    /**
     * Learns the version and the incarnation of the peer: connections with others are stale, on all routes (spec 20
     * §5.1 row 14; spec 21 cb-050).
     *
     * @param newStamp 0 if it was not told: then only the version is learned
     */
    void learn(int newVersion, long newStamp);

    /** The peer speaks version 1, in which a reject does not tell the incarnation (spec 20 §6). */
    void learnOldVersion();

    /**
     * What is known of the peer's version may be of a node that is gone: the next request is in the newest one again.
     */
    void forgetVersion();

    /** Learns where the peer says that it is reached, from the private data of its acceptance. */
    void learnAddresses(MemorySegment answer);

    /** Tells whether an attempt of this node is under way. */
    boolean isConnecting();

    /** Tells whether the peer has as many connections as it may. */
    boolean isFull();

    /** Notes that the peer was refused because this node connects first; false if it has been refused too often. */
    boolean countRace();

    /** The peer's request is accepted, and its connection comes up. */
    void accepting(IbConn conn);

    /**
     * An attempt failed in a way that is worth another one, if it is still wanted.
     *
     * @param otherVersion whether the peer turned out to speak another version than was known
     */
    void again(ActiveConnect failed, boolean otherVersion);

    /** An attempt failed for good. */
    void failed(ActiveConnect failed, ConnectFailure why);
}
