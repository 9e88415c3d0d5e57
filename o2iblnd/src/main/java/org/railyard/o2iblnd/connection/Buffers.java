package org.railyard.o2iblnd.connection;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.verbs.Access;
import org.railyard.verbs.ArenaRegion;
import org.railyard.verbs.Pd;
import org.railyard.verbs.Qp;
import org.railyard.verbs.VerbsException;

/**
 * The message buffers of a connection, in one registered piece: those to receive into, and behind them those to send
 * from.
 */
final class Buffers {
    private static final long RECEIVE = 1L << 32;

    /**
     * From one buffer to the next, bytes: a line of the cache more than a message. As beginnings of pages all of them
     * would take the same few places of a cache, whose messages are short as a rule.
     */
    private static final int STRIDE = Kib.MESSAGE_BYTES + 64;

    private final Qp qp;
    private final int receives;
    private final MemorySegment memory;
    private final ByteBuffer bytes;
    private final ArenaRegion region;
    private final int[] free;
    private int freeCount;

    /**
     * Makes and registers them.
     *
     * @throws org.railyard.verbs.VerbsException ENOMEM if there is no memory for them
     */
    Buffers(Pd pd, Qp qp, int receives, int sends) {
        this.qp = qp;
        this.receives = receives;
        this.memory = pd.allocate((long) (receives + sends) * STRIDE, Kib.MESSAGE_BYTES);
        this.bytes = memory.asByteBuffer();
        this.region = pd.registerArena(memory, Access.LOCAL_WRITE);
        this.free = new int[sends];
        for (int i = 0; i < sends; i++) {
            free[freeCount++] = receives + sends - 1 - i;
        }
    }

    static boolean isReceive(long id) {
        return (id & RECEIVE) != 0;
    }

    static int slot(long id) {
        return (int) id;
    }

    Qp qp() {
        return qp;
    }

    MemorySegment memory() {
        return memory;
    }

    /** Returns how many there are, of both kinds. */
    int count() {
        return receives + free.length;
    }

    /** Returns them all as one buffer, of which only the contents are to be used. */
    ByteBuffer bytes() {
        return bytes;
    }

    long offset(int slot) {
        return (long) slot * STRIDE;
    }

    long address(int slot) {
        return region.addressOf(offset(slot));
    }

    int key() {
        return region.localKey();
    }

    void postReceive(int slot) {
        if (slot >= receives || !qp.postReceive(RECEIVE | slot, address(slot), Kib.MESSAGE_BYTES, key())) {
            throw new VerbsException(
                    VerbsException.Code.ENOMEM,
                    "the device takes no receive " + slot + " of " + receives + " for " + qp);
        }
    }

    /** Returns a buffer to send from, −1 if all are in use. */
    int takeSend() {
        return freeCount == 0 ? -1 : free[--freeCount];
    }

    void giveBackSend(int slot) {
        free[freeCount++] = slot;
    }

    void close() {
        region.close();
    }
}
