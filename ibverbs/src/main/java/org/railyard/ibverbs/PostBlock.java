package org.railyard.ibverbs;

import java.lang.foreign.Arena;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;
import org.railyard.ibverbs.ffi.VerbsNumbers;
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

    /** Returns how many of some requests were taken before the bad one; all of them if the call did not say. */
    int takenBeforeBad(int count) {
        long at = VerbsMemory.getLong(bad);
        return at == 0 ? count : Math.clamp((at - requests) / VerbsLayout.SEND_WR, 0, count);
    }

    /**
     * Writes the first requests of a chain, which are SENDs and RDMA WRITEs.
     *
     * @param tag what the tags of all of them have in common
     * @param firstPlace place of the first one, {@link RequestRing#PLACE_MASK}; the others count on
     */
    void write(WorkChain chain, int count, long tag, long firstPlace) {
        VerbsMemory.putLong(bad, 0);
        long at = requests;
        long entry = gather;
        for (int i = 0; i < count; i++, at += VerbsLayout.SEND_WR) {
            int start = chain.gatherStart(i);
            int end = chain.gatherEnd(i);
            boolean isWrite = chain.operation(i) == Operation.RDMA_WRITE;
            VerbsMemory.putLong(at, tag | firstPlace + i & RequestRing.PLACE_MASK);
            VerbsMemory.putLong(at + VerbsLayout.WR_NEXT, i + 1 == count ? 0 : at + VerbsLayout.SEND_WR);
            VerbsMemory.putLong(at + VerbsLayout.WR_SG_LIST, entry);
            VerbsMemory.putInt(at + VerbsLayout.WR_NUM_SGE, end - start);
            VerbsMemory.putInt(at + VerbsLayout.WR_OPCODE, isWrite ? VerbsNumbers.WR_RDMA_WRITE : VerbsNumbers.WR_SEND);
            VerbsMemory.putInt(at + VerbsLayout.WR_FLAGS, chain.isSignalled(i) ? VerbsNumbers.SEND_SIGNALED : 0);
            VerbsMemory.putLong(at + VerbsLayout.WR_REMOTE_ADDRESS, chain.remoteAddress(i));
            VerbsMemory.putInt(at + VerbsLayout.WR_RKEY, chain.key(i));
            for (int g = start; g < end; g++, entry += VerbsLayout.SGE) {
                writeEntry(entry, chain.gatherAddress(g), chain.gatherLength(g), chain.gatherKey(g));
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
