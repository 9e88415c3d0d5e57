package org.railyard.ibverbs;

import java.lang.foreign.MemorySegment;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;
import org.railyard.verbs.Access;
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

    IbvArena(IbvPd pd, MemorySegment memory, int access) {
        this.pd = pd;
        this.memory = memory;
        IbvDevice device = (IbvDevice) pd.device();
        this.provider = device.provider();
        // A card insists on the local right beside the remote one.
        int remote = (access & Access.REMOTE_WRITE) == 0 ? 0 : Access.REMOTE_WRITE | Access.LOCAL_WRITE;
        int rights = access & Access.LOCAL_WRITE | remote;
        this.address = provider.verbs().registerMemory(pd.address(), memory.address(), memory.byteSize(), rights);
        if (address == 0) {
            int errno = NativeVerbs.errno();
            throw NativeVerbs.failed(
                    device + ": " + memory.byteSize() + " bytes can not be registered"
                            + MemoryLimit.hint(errno, provider.pinnedBytes() + memory.byteSize()),
                    errno);
        }
        this.localKey = VerbsMemory.getInt(address + VerbsLayout.MR_LKEY);
        this.remoteKey = VerbsMemory.getInt(address + VerbsLayout.MR_RKEY);
        provider.pinned(memory.byteSize());
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

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        int errno = provider.verbs().deregisterMemory(address);
        if (errno != 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} bytes at {1} stay registered: errno {2}",
                    memory.byteSize(),
                    pd.device(),
                    errno);
        }
        provider.pinned(-memory.byteSize());
        pd.forget(this);
    }
}
