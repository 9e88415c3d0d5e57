package org.railyard.ibverbs;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.ibverbs.ffi.VerbsNumbers;
import org.railyard.verbs.Access;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.DmaSpace;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.VerbsException;

/**
 * Memory of users by its virtual addresses, registered in a {@link RegistrationCache}. What kernels do by work requests
 * is done when memory is mapped, so registrations and invalidations have nothing left to do, but for windows where
 * those are wanted: they let a peer in for one transfer.
 */
final class CachedMemory implements DmaSpace {
    /** What a fragment may begin and end inside of, as kernels count. */
    static final int PAGE_BYTES = 4096;

    private final IbvPd pd;
    private final boolean windows;
    private final RegistrationCache cache;
    private final Set<CachedRegion> regions = new LinkedHashSet<>();

    /**
     * Makes an empty cache.
     *
     * @param windows whether peers reach memory by a window only, for one transfer
     */
    CachedMemory(IbvPd pd, boolean windows) {
        this.pd = pd;
        this.windows = windows;
        OptionalLong limit = MemoryLimit.read();
        long half = limit.isEmpty() ? Long.MAX_VALUE : limit.getAsLong() / 2;
        int regions = pd.device().attributes().maxMr() / 2;
        int rights = Access.LOCAL_WRITE | (windows ? VerbsNumbers.ACCESS_MW_BIND : Access.REMOTE_WRITE);
        cache = new RegistrationCache(
                memory -> pd.register(memory, rights),
                Math.min(half, RegistrationCache.MAX_BYTES),
                Math.clamp(regions, 1, RegistrationCache.MAX_REGIONS));
    }

    @Override
    public int pageBytes() {
        return PAGE_BYTES;
    }

    @Override
    public int map(MemorySegment memory, DmaList into) {
        long length = memory.byteSize();
        if (!memory.isNative() || length == 0 || length > Integer.MAX_VALUE) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL, "memory must be off-heap and of 1…2147483647 bytes: " + length);
        }
        cache.hold(memory);
        if (!into.add(memory.address(), (int) length)) {
            cache.release(memory.address(), length);
            return 0;
        }
        return 1;
    }

    @Override
    public void unmap(DmaList pieces) {
        for (int i = 0; i < pieces.size(); i++) {
            cache.release(pieces.address(i), pieces.length(i));
        }
    }

    /** Returns 0: each region has a key of its own. */
    @Override
    public int localKey() {
        return 0;
    }

    RegistrationCache cache() {
        return cache;
    }

    /**
     * Makes a region.
     *
     * @param maxPages most pages of it
     */
    FastRegion region(int maxPages) {
        CachedRegion made = new CachedRegion(this, maxPages, windows ? new MemoryWindow(pd) : null);
        regions.add(made);
        return made;
    }

    void forget(CachedRegion region) {
        regions.remove(region);
    }

    /** Tells whether a region is one of {@link #region}. */
    boolean has(@Nullable FastRegion region) {
        return region instanceof CachedRegion own && own.owner() == this;
    }

    /** Gives the windows back, which have to go before the memory that they are bound to. */
    void close() {
        List.copyOf(regions).forEach(CachedRegion::close);
    }
}
