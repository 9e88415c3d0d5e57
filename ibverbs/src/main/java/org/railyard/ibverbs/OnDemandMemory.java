package org.railyard.ibverbs;

import java.lang.foreign.MemorySegment;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;
import org.railyard.ibverbs.ffi.VerbsNumbers;
import org.railyard.verbs.Access;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.DmaSpace;
import org.railyard.verbs.MemoryKeys;
import org.railyard.verbs.VerbsException;

/** All memory of the process, by its virtual addresses, in one region that the card pages in (spec 24 §8.2, E). */
final class OnDemandMemory implements DmaSpace, MemoryKeys {
    private static final System.Logger LOG = System.getLogger(OnDemandMemory.class.getName());

    private final NativeVerbs verbs;
    private final long address;
    private final int localKey;
    private final int remoteKey;

    private OnDemandMemory(NativeVerbs verbs, long address) {
        this.verbs = verbs;
        this.address = address;
        this.localKey = VerbsMemory.getInt(address + VerbsLayout.MR_LKEY);
        this.remoteKey = VerbsMemory.getInt(address + VerbsLayout.MR_RKEY);
    }

    /**
     * Registers all memory.
     *
     * @param pd address of the protection domain
     * @throws VerbsException EINVAL or EOPNOTSUPP if the card does not have it
     */
    static OnDemandMemory register(NativeVerbs verbs, long pd, String device) {
        long wholeSpace = -1;
        int rights = Access.LOCAL_WRITE | Access.REMOTE_WRITE | VerbsNumbers.ACCESS_ON_DEMAND;
        long region = verbs.registerMemory(pd, 0, wholeSpace, rights);
        if (region == 0) {
            throw NativeVerbs.failed(device + " has no on-demand memory", NativeVerbs.errno());
        }
        return new OnDemandMemory(verbs, region);
    }

    @Override
    public int pageBytes() {
        return CachedMemory.PAGE_BYTES;
    }

    @Override
    public int map(MemorySegment memory, DmaList into) {
        long length = memory.byteSize();
        if (!memory.isNative() || length == 0 || length > Integer.MAX_VALUE) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL, "memory must be off-heap and of 1…2147483647 bytes: " + length);
        }
        return into.add(memory.address(), (int) length) ? 1 : 0;
    }

    @Override
    public void unmap(DmaList pieces) {
        // It is always mapped.
    }

    @Override
    public int localKey() {
        return localKey;
    }

    @Override
    public int remoteKey() {
        return remoteKey;
    }

    /** Gives the region back. */
    void close() {
        int errno = verbs.deregisterMemory(address);
        if (errno != 0) {
            LOG.log(System.Logger.Level.WARNING, "on-demand memory stays registered: errno {0}", errno);
        }
    }
}
