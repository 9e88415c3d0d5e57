package org.railyard.roce.net;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.wire.UdpRoute;
import org.railyard.verbs.card.cm.Reach;

/**
 * The network below a provider: UDP, or something that behaves like it. Used by the thread of the provider, but for
 * {@link #wakeup}.
 */
public interface Datagrams extends AutoCloseable {
    /** What became of a datagram. */
    enum Sent {
        /** It may arrive. */
        YES,
        /** It can not be sent, and has not left: as good as lost. */
        NO,
        /** The network takes nothing at this moment. */
        BUSY
    }

    /** One address and port of this machine. */
    interface Socket extends AutoCloseable {
        /** Sends what is between the limits of the buffer. */
        Sent send(ByteBuffer datagram, UdpRoute route);

        /** Puts the next datagram into the buffer; returns its way, null if none waits. */
        @Nullable
        UdpRoute receive(ByteBuffer into);

        @Override
        void close();
    }

    /**
     * Opens a socket.
     *
     * @param counters where it counts what can not be sent
     * @throws org.railyard.base.ErrnoException EADDRINUSE, EADDRNOTAVAIL or EIO if it can not be opened
     */
    Socket open(LocalInterface at, int udpPort, RoceCounters counters);

    /**
     * What an interface is good for at present.
     *
     * @param isUp whether it can carry datagrams and still has its address
     * @param mtu largest IP packet, bytes; 0 if that is not known
     */
    record Link(boolean isUp, int mtu) {
        /** Of an interface that is not there. */
        public static final Link NONE = new Link(false, 0);
    }

    /** Looks at an interface. */
    Link look(LocalInterface which);

    /** Tells whether there is a way from an interface to an address; asks for the neighbour that has it. */
    Reach reach(LocalInterface from, int ip);

    /**
     * Says what to call when a datagram arrives, for networks that can not wait.
     *
     * @param wake may be called from any thread
     */
    void attach(Runnable wake);

    /**
     * Waits until a datagram arrives, somebody calls {@link #wakeup}, or time is over.
     *
     * @return false if it can not wait, but calls back
     */
    boolean await(long nanos);

    /** Ends waiting, the present or the next one; from any thread. */
    void wakeup();

    @Override
    void close();
}
