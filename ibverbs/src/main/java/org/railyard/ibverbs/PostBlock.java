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
    /** Where requests are posted. */
    interface Poster {
        /** Tells whether a request is allowed there, so far as that does not depend on those before it. */
        boolean mayPost(WorkChain chain, int request);

        /** Notes a request that is to be posted with those before it in the chain; returns its tag. */
        long note(WorkChain chain, int request);

        /** Returns the windows that are bound there. */
        BoundWindows windows();
    }

    private static final int ALIGNMENT = 64;

    private final long requests;
    private final long gather;
    private final long receive;
    private final long bad;

    /** Windows that the requests bind, or end the binding of. */
    private final List<MemoryWindow> windows = new ArrayList<>();

    /** Whether there are any: less to look at than the list. */
    private boolean binds;

    private int written;
    private int lastSignalled;

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

    /** Returns how many requests for the card were written. */
    int written() {
        return written;
    }

    /** Returns which request of the chain was the last one that is signalled; -1 if none is. */
    int lastSignalled() {
        return lastSignalled;
    }

    /** Returns the tag of the request that the last call did not take; -1 if it did not say which. */
    long badTag() {
        long at = VerbsMemory.getLong(bad);
        // A wrong address must not be read.
        long index = (at - requests) / VerbsLayout.SEND_WR;
        boolean known = at - requests == index * VerbsLayout.SEND_WR && index >= 0 && index < written;
        return known ? VerbsMemory.getLong(at) : -1;
    }

    /**
     * Writes the first requests of a chain, up to the first that is not allowed. Registrations and invalidations bind
     * windows, and end that; if there is none, or the peer gets no access, they have nothing to do: they are left out,
     * or, if their end is to be told, are writes of nothing. A chain binds a window once at most.
     *
     * @param to where they are posted
     * @param most how many of them there is room for
     * @return how many requests of the chain were looked at; {@link #written} of them are for the card
     */
    int write(Poster to, WorkChain chain, int most) {
        VerbsMemory.putLong(bad, 0);
        if (binds) {
            windows.clear();
            binds = false;
        }
        written = 0;
        lastSignalled = -1;
        long at = requests;
        long entry = gather;
        int i = 0;
        for (; i < most && to.mayPost(chain, i); i++) {
            long tag = to.note(chain, i);
            boolean signalled = chain.isSignalled(i);
            if (signalled) {
                lastSignalled = i;
            }
            boolean travels = chain.operation(i).isTransfer();
            CachedRegion region = travels ? null : windowed(to.windows(), chain, i);
            if (!travels && region == null && !signalled) {
                continue;
            }
            if (written++ > 0) {
                VerbsMemory.putLong(at - VerbsLayout.SEND_WR + VerbsLayout.WR_NEXT, at);
            }
            int end = chain.gatherEnd(i);
            int start = chain.gatherStart(i);
            VerbsMemory.putLong(at, tag);
            VerbsMemory.putLong(at + VerbsLayout.WR_NEXT, 0);
            VerbsMemory.putLong(at + VerbsLayout.WR_SG_LIST, entry);
            VerbsMemory.putInts(at + VerbsLayout.WR_NUM_SGE, end - start, opcode(chain, i));
            // Drivers refuse to bind a window when an earlier use of the place has left a key behind the flags.
            VerbsMemory.putInts(at + VerbsLayout.WR_FLAGS, signalled ? VerbsNumbers.SEND_SIGNALED : 0, 0);
            VerbsMemory.putLong(at + VerbsLayout.WR_REMOTE_ADDRESS, travels ? chain.remoteAddress(i) : 0);
            VerbsMemory.putInt(at + VerbsLayout.WR_RKEY, travels ? chain.key(i) : 0);
            for (int g = start; g < end; g++, entry += VerbsLayout.SGE) {
                VerbsMemory.putLong(entry, chain.gatherAddress(g));
                VerbsMemory.putLong(entry + VerbsLayout.SGE_LENGTH, chain.gatherLengthAndKey(g));
            }
            if (region != null) {
                writeWindow(at, to.windows(), chain.operation(i) == Operation.REGISTER, region);
            }
            at += VerbsLayout.SEND_WR;
        }
        return i;
    }

    private static int opcode(WorkChain chain, int request) {
        return chain.operation(request) == Operation.SEND ? VerbsNumbers.WR_SEND : VerbsNumbers.WR_RDMA_WRITE;
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
        binds = true;
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
        for (int i = 0; binds && i < windows.size(); i++) {
            if (all) {
                windows.get(i).posted();
            } else {
                windows.get(i).giveBack();
            }
        }
    }

    /** Writes a receive; returns where it is. */
    long writeReceive(long id, long address, int length, int key) {
        VerbsMemory.putLong(bad, 0);
        VerbsMemory.putLong(receive, id);
        VerbsMemory.putLong(receive + VerbsLayout.WR_NEXT, 0);
        VerbsMemory.putLong(receive + VerbsLayout.WR_SG_LIST, receive + VerbsLayout.RECV_WR);
        VerbsMemory.putInt(receive + VerbsLayout.WR_NUM_SGE, 1);
        VerbsMemory.putLong(receive + VerbsLayout.RECV_WR, address);
        VerbsMemory.putInts(receive + VerbsLayout.RECV_WR + VerbsLayout.SGE_LENGTH, length, key);
        return receive;
    }
}
