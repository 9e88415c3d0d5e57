package org.railyard.roce.net;

import org.jspecify.annotations.Nullable;
import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.wire.Frame;
import org.railyard.roce.wire.UdpRoute;
import org.railyard.verbs.card.cm.Reach;
import org.railyard.verbs.card.memory.MemoryPiece;

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

    /** Is told of a datagram that was taken, and could not be sent after all. */
    @FunctionalInterface
    interface Unsent {
        /** Cares for none. */
        Unsent IGNORED = _ -> {};

        /**
         * The network has refused a datagram; it has not left.
         *
         * @param psn its number
         */
        void unsent(int psn);
    }

    /** One address and port of this machine. */
    interface Socket extends AutoCloseable {
        /** Returns how much may wait in it until it is received, bytes, as the system counts; 0 if not known. */
        int room();

        /** Returns the packet that is to be sent next: its memory may be another one after each {@link #send}. */
        Frame outgoing();

        /** Tells whether the payload of a packet may be left where it is ({@link Frame#payload(MemoryPiece)}). */
        default boolean fetchesPayload() {
            return false;
        }

        /**
         * Takes the packet that was written. It leaves at {@link #flush} at the latest, together with others.
         *
         * @param unsent is told if it can not be sent when it is to leave; not called after this returned NO
         * @param psn its number, for that
         */
        Sent send(UdpRoute route, Unsent unsent, int psn);

        /**
         * Lets everything leave that was taken; what the network does not take now stays for the next time. Payload
         * that was left where it is is not looked at any more after that.
         */
        void flush();

        /**
         * Returns how often what was taken had to leave, at {@link #flush} or before: what was taken since this number
         * changed may still wait. −1 if nothing waits ever.
         */
        default long flushes() {
            return -1;
        }

        /**
         * Returns how much waits in messages of the system that are as long as they can be, bytes: it gains nothing by
         * waiting, but that one call, and one waking of the receiver, is enough for several of them.
         */
        default int fullBytes() {
            return 0;
        }

        /** Puts the next datagram into a packet, valid until the next call; returns its way, null if none waits. */
        @Nullable
        UdpRoute receive(Frame into);

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
     * Waits until a datagram arrives, a socket that was busy takes something again, somebody calls {@link #wakeup}, or
     * time is over.
     *
     * @return false if it can not wait, but calls back
     */
    boolean await(long nanos);

    /** Ends waiting, the present or the next one; from any thread. */
    void wakeup();

    @Override
    void close();
}
