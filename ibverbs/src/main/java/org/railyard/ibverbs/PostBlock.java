package org.railyard.ibverbs;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;
import org.railyard.ibverbs.ffi.VerbsNumbers;
import org.railyard.verbs.Access;
import org.railyard.verbs.Completion.Operation;
import org.railyard.verbs.WorkChain;

/**
 * Memory of a loop in which work requests are written as C has them. The driver has copied everything when a call
 * returns, so one block serves all queue pairs of the loop (spec 24 §5.4).
 */
final class PostBlock {
    private static final int ALIGNMENT = 64;

    private final long requests;
    private final long gather;
    private final long receive;
    private final long bad;

    /** Windows that the requests bind, or end the binding of. */
    private final List<MemoryWindow> windows = new ArrayList<>();

    /** Which request of the chain each of the card's is; those that need no card are left out. */
    private final int[] inChain = new int[WorkChain.MAX_REQUESTS];

    PostBlock(Arena arena) {
        requests = arena.allocate((long) WorkChain.MAX_REQUESTS * VerbsLayout.SEND_WR, ALIGNMENT)
                .address();
        gather = arena.allocate((long) WorkChain.MAX_GATHER * VerbsLayout.SGE, ALIGNMENT)
                .address();
        receive =
                arena.allocate(VerbsLayout.RECV_WR + VerbsLayout.SGE, ALIGNMENT).address();
        bad = arena.allocate(Long.BYTES, Long.BYTES).address();
    }

    /** Returns where the first request is. */
    long requests() {
        return requests;
    }

    /** Returns where a call says which request it did not take. */
    long bad() {
        return bad;
    }

    /** Tells whether the last call said which request it did not take. */
    boolean hasBad() {
        return VerbsMemory.getLong(bad) != 0;
    }

    /** Returns how many requests of a chain were taken before the bad one; all of them if the call did not say. */
    int takenBeforeBad(int count) {
        long at = VerbsMemory.getLong(bad);
        if (at == 0) {
            return count;
        }
        long index = (at - requests) / VerbsLayout.SEND_WR;
        return index < 0 ? 0 : index >= inChain.length ? count : Math.min(count, inChain[(int) index]);
    }

    /**
     * Writes the first requests of a chain. Registrations and invalidations bind windows, and end that; if there is
     * none, or the peer gets no access, they have nothing to do: they are left out, or, if their end is to be told, are
     * writes of nothing. A chain binds a window once at most.
     *
     * @param qp the windows of the queue pair where they are posted
     * @param tag what the tags of all of them have in common
     * @param firstPlace place of the first one, {@link RequestRing#PLACE_MASK}; the others count on
     * @return how many requests there are for the card
     */
    int write(BoundWindows qp, WorkChain chain, int count, long tag, long firstPlace) {
        VerbsMemory.putLong(bad, 0);
        windows.clear();
        long at = requests;
        long entry = gather;
        int written = 0;
        for (int i = 0; i < count; i++) {
            Operation operation = chain.operation(i);
            boolean isSend = operation == Operation.SEND;
            boolean travels = isSend || operation == Operation.RDMA_WRITE;
            CachedRegion region = travels ? null : windowed(qp, chain, i);
            if (!travels && region == null && !chain.isSignalled(i)) {
                continue;
            }
            int start = chain.gatherStart(i);
            int end = chain.gatherEnd(i);
            if (written > 0) {
                VerbsMemory.putLong(at - VerbsLayout.SEND_WR + VerbsLayout.WR_NEXT, at);
            }
            inChain[written++] = i;
            VerbsMemory.putLong(at, tag | firstPlace + i & RequestRing.PLACE_MASK);
            VerbsMemory.putLong(at + VerbsLayout.WR_NEXT, 0);
            VerbsMemory.putLong(at + VerbsLayout.WR_SG_LIST, entry);
            VerbsMemory.putInt(at + VerbsLayout.WR_NUM_SGE, end - start);
            VerbsMemory.putInt(at + VerbsLayout.WR_OPCODE, isSend ? VerbsNumbers.WR_SEND : VerbsNumbers.WR_RDMA_WRITE);
            VerbsMemory.putInt(at + VerbsLayout.WR_FLAGS, chain.isSignalled(i) ? VerbsNumbers.SEND_SIGNALED : 0);
            // Drivers refuse to bind a window when an earlier use of the place has left something here.
            VerbsMemory.putInt(at + VerbsLayout.WR_INVALIDATE_RKEY, 0);
            VerbsMemory.putLong(at + VerbsLayout.WR_REMOTE_ADDRESS, travels ? chain.remoteAddress(i) : 0);
            VerbsMemory.putInt(at + VerbsLayout.WR_RKEY, travels ? chain.key(i) : 0);
            for (int g = start; g < end; g++, entry += VerbsLayout.SGE) {
                writeEntry(entry, chain.gatherAddress(g), chain.gatherLength(g), chain.gatherKey(g));
            }
            if (region != null) {
                writeWindow(at, qp, operation == Operation.REGISTER, region);
            }
            at += VerbsLayout.SEND_WR;
        }
        return written;
    }

    /** Returns the region of a request if the card has to open it, or to shut it. */
    private static @Nullable CachedRegion windowed(BoundWindows qp, WorkChain chain, int i) {
        if (!(chain.region(i) instanceof CachedRegion region) || region.window() == null) {
            return null;
        }
        boolean opens = chain.operation(i) == Operation.REGISTER;
        boolean needed = opens
                ? (chain.key(i) & Access.REMOTE_WRITE) != 0
                : region.window().isBoundAt(qp);
        return needed && region.entry() != null ? region : null;
    }

    private void writeWindow(long at, BoundWindows qp, boolean opens, CachedRegion region) {
        MemoryWindow window = Objects.requireNonNull(region.window());
        if (!windows.contains(window)) {
            windows.add(window);
        }
        if (!opens) {
            VerbsMemory.putInt(at + VerbsLayout.WR_OPCODE, VerbsNumbers.WR_LOCAL_INV);
            VerbsMemory.putInt(at + VerbsLayout.WR_INVALIDATE_RKEY, window.key());
            window.unbind();
            return;
        }
        RegistrationCache.Entry memory = Objects.requireNonNull(region.entry());
        VerbsMemory.putInt(at + VerbsLayout.WR_OPCODE, VerbsNumbers.WR_BIND_MW);
        VerbsMemory.putLong(at + VerbsLayout.WR_BIND_MW, window.address());
        VerbsMemory.putInt(at + VerbsLayout.WR_BIND_RKEY, window.preparedKey());
        VerbsMemory.putLong(at + VerbsLayout.WR_BIND_MR, memory.region().address());
        VerbsMemory.putLong(at + VerbsLayout.WR_BIND_ADDRESS, region.address());
        VerbsMemory.putLong(at + VerbsLayout.WR_BIND_LENGTH, region.bytes());
        VerbsMemory.putInt(at + VerbsLayout.WR_BIND_ACCESS, Access.REMOTE_WRITE);
        window.bind(qp, memory.windows());
    }

    /**
     * What was written was posted.
     *
     * @param all whether the card took all of it; if not, nobody knows how windows are, and others take their place
     */
    void posted(boolean all) {
        for (int i = 0; i < windows.size(); i++) {
            if (all) {
                windows.get(i).posted();
            } else {
                windows.get(i).giveBack();
            }
        }
    }

    private static void writeEntry(long at, long address, int length, int key) {
        VerbsMemory.putLong(at, address);
        VerbsMemory.putInt(at + VerbsLayout.SGE_LENGTH, length);
        VerbsMemory.putInt(at + VerbsLayout.SGE_LKEY, key);
    }

    /** Writes a receive; returns where it is. */
    long writeReceive(long id, long address, int length, int key) {
        VerbsMemory.putLong(bad, 0);
        VerbsMemory.putLong(receive, id);
        VerbsMemory.putLong(receive + VerbsLayout.WR_NEXT, 0);
        VerbsMemory.putLong(receive + VerbsLayout.WR_SG_LIST, receive + VerbsLayout.RECV_WR);
        VerbsMemory.putInt(receive + VerbsLayout.WR_NUM_SGE, 1);
        writeEntry(receive + VerbsLayout.RECV_WR, address, length, key);
        return receive;
    }
}
