package org.railyard.roce.net.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.wire.Frame;
import org.railyard.roce.wire.UdpRoute;

/**
 * What one call has received: some messages, each a datagram or, with UDP_GRO, several of one sender side by side, all
 * but the last one equally long. Makes no garbage for senders that are known. Not thread-safe.
 */
final class ReceiveSlots {
    /** Most messages of a call. */
    static final int SLOTS = 16;

    /** Longest message, bytes. */
    private static final int SLOT_BYTES = 1 << 16;

    /** Most senders whose route is kept; a power of two. */
    private static final int MAX_ROUTES = 1024;

    private static final int AGAIN = Errno.EAGAIN.status();
    private static final int INTERRUPTED = Errno.EINTR.status();

    /** Spreads addresses over places. */
    private static final int SPREAD = 0x9E37_79B1;

    private final SocketCalls calls;
    private final int fd;
    private final UdpRoute here;
    private final RoceCounters counters;
    private final MemorySegment memory = Arena.ofAuto().allocate((long) SLOTS * SLOT_BYTES, Long.BYTES);
    private final ByteBuffer bytes = memory.asByteBuffer();
    private final MessageTable table = new MessageTable(SLOTS);
    private final @Nullable UdpRoute[] routes = new @Nullable UdpRoute[MAX_ROUTES];
    private int count;
    private int slot;
    private boolean drained;
    private @Nullable UdpRoute route;
    private int offset;
    private int length;
    private int segment;

    /** Which of the segments is next. */
    private int index;

    /**
     * Makes empty ones.
     *
     * @param here whom what comes is for
     */
    ReceiveSlots(SocketCalls calls, int fd, UdpRoute here, RoceCounters counters) {
        this.calls = calls;
        this.fd = fd;
        this.here = here;
        this.counters = counters;
        for (int i = 0; i < SLOTS; i++) {
            table.setPiece(i, memory.address() + (long) i * SLOT_BYTES, SLOT_BYTES);
            table.prepareReceive(i);
        }
    }

    /** Moves a packet over the next datagram; returns its route, null if none waits. */
    @Nullable
    UdpRoute next(Frame into) {
        if (route == null && !take()) {
            return null;
        }
        UdpRoute way = route;
        int bytesHere = Math.min(segment, length - offset);
        // A guess: the sender's kernel numbers what leaves together from 0 on, and it may have come together, too.
        into.moveTo(memory, bytes, slot * SLOT_BYTES + offset, bytesHere, index++);
        offset += bytesHere;
        if (offset >= length) {
            table.prepareReceive(slot);
            slot++;
            route = null;
        }
        return way;
    }

    /** Looks at the next message; false if none waits. */
    private boolean take() {
        if (slot == count && !receive()) {
            return false;
        }
        offset = 0;
        index = 0;
        length = table.bytes(slot);
        int told = table.segment(slot);
        // An empty datagram is one, too.
        segment = Math.max(1, told > 0 ? told : length);
        route = route(table.peerIp(slot), table.peerPort(slot));
        return true;
    }

    private boolean receive() {
        slot = 0;
        count = 0;
        if (drained) {
            // The last call has found no more; what came since then is for the next turn.
            drained = false;
            return false;
        }
        int came = calls.receiveMessages(fd, table.address(0), SLOTS);
        if (came <= 0) {
            if (came != AGAIN && came != INTERRUPTED) {
                // An error that an earlier datagram met, as the system tells of it.
                counters.add(RoceCounters.Counter.SEND_FAILURES);
            }
            return false;
        }
        count = came;
        drained = came < SLOTS;
        return true;
    }

    private UdpRoute route(int from, int port) {
        int place = (from * SPREAD ^ port * SPREAD >>> Short.SIZE) >>> Short.SIZE & MAX_ROUTES - 1;
        UdpRoute known = routes[place];
        if (known == null || known.sourceIp() != from || known.sourcePort() != port) {
            known = new UdpRoute(from, port, here.destinationIp(), here.destinationPort());
            routes[place] = known;
        }
        return known;
    }
}
