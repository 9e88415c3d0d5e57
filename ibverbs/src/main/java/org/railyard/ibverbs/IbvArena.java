package org.railyard.ibverbs;

import java.lang.foreign.MemorySegment;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;
import org.railyard.verbs.ArenaRegion;

/** Memory that is registered with a card; it is kept reachable as long as that lasts. */
final class IbvArena implements ArenaRegion {
    private static final System.Logger LOG = System.getLogger(IbvArena.class.getName());

    private final IbvPd pd;
    private final IbvProvider provider;
    private final MemorySegment memory;
    private final long address;
    private final int localKey;
    private final int remoteKey;
    private boolean closed;

    /**
     * Registers memory.
     *
     * @param rights as the card has them
     */
    IbvArena(IbvPd pd, MemorySegment memory, int rights) {
        this.pd = pd;
        this.memory = memory;
        IbvDevice device = pd.device();
        this.provider = device.provider();
        this.address = provider.verbs().registerMemory(pd.address(), memory.address(), memory.byteSize(), rights);
        if (address == 0) {
            int errno = NativeVerbs.errno();
            String limit = MemoryLimit.hint(errno, provider.pinnedBytes() + memory.byteSize());
            throw NativeVerbs.failed(
                    device + ": " + memory.byteSize() + " bytes can not be registered"
                            + (limit.isEmpty()
                                    ? "; it has " + device.attributes().maxMr() + " regions for all programs together"
                                    : limit),
                    errno);
        }
        this.localKey = VerbsMemory.getInt(address + VerbsLayout.MR_LKEY);
        this.remoteKey = VerbsMemory.getInt(address + VerbsLayout.MR_RKEY);
        provider.pinned(memory.byteSize());
    }

    /** Returns where the structure is. */
    long address() {
        return address;
    }

    @Override
    public long addressOf(long offset) {
        return memory.address() + offset;
    }

    @Override
    public int localKey() {
        return localKey;
    }

    @Override
    public int remoteKey() {
        return remoteKey;
    }

    /**
     * Gives it back, unless a window is still bound to it whose end the card has not carried out.
     *
     * @return false if it is still there, and has to be closed later
     */
    boolean tryClose() {
        if (!closed && provider.verbs().deregisterMemory(address) != 0) {
            return false;
        }
        ended();
        return true;
    }

    private void ended() {
        if (!closed) {
            closed = true;
            provider.pinned(-memory.byteSize());
            pd.forget(this);
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        int errno = provider.verbs().deregisterMemory(address);
        if (errno != 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} bytes at {1} stay registered: errno {2}",
                    memory.byteSize(),
                    pd.device(),
                    errno);
        }
        ended();
    }
}
