package org.railyard.ibverbs;

import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.DmaSpace;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.VerbsException;

/**
 * Memory of users by its virtual addresses, registered in a {@link RegistrationCache}. What kernels do by work requests
 * is done when memory is mapped, so registrations and invalidations have nothing left to do.
 */
final class CachedMemory implements DmaSpace {
    /** What a fragment may begin and end inside of, as kernels count. */
    static final int PAGE_BYTES = 4096;

    private final RegistrationCache cache;

    CachedMemory(IbvPd pd) {
        OptionalLong limit = MemoryLimit.read();
        long half = limit.isEmpty() ? Long.MAX_VALUE : limit.getAsLong() / 2;
        int regions = pd.device().attributes().maxMr() / 2;
        cache = new RegistrationCache(
                pd, Math.min(half, RegistrationCache.MAX_BYTES), Math.clamp(regions, 1, RegistrationCache.MAX_REGIONS));
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

    /** Makes a region that takes the keys of what it is prepared for. */
    FastRegion region() {
        return new Region();
    }

    /** Tells whether a region is one of {@link #region}. */
    boolean has(@Nullable FastRegion region) {
        return region instanceof Region own && own.owner() == this;
    }

    private final class Region implements FastRegion {
        private int localKey;
        private int remoteKey;

        @Override
        public long prepare(DmaList pages) {
            RegistrationCache.Entry entry = pages.size() == 0 ? null : cache.held(pages.address(0), pages.length(0));
            if (entry == null || !entry.contains(pages.address(0), pages.bytes()) || !isOneRun(pages)) {
                throw new VerbsException(
                        VerbsException.Code.EINVAL,
                        pages + " are not one run of bytes in memory that is registered as a whole");
            }
            localKey = entry.region().localKey();
            remoteKey = entry.region().remoteKey();
            return pages.address(0);
        }

        private CachedMemory owner() {
            return CachedMemory.this;
        }

        private static boolean isOneRun(DmaList pages) {
            long end = pages.address(0);
            for (int i = 0; i < pages.size(); i++) {
                if (pages.address(i) != end) {
                    return false;
                }
                end += pages.length(i);
            }
            return true;
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
            // Its memory belongs to the cache.
        }
    }
}
