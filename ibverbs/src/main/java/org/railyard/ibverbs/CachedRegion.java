package org.railyard.ibverbs;

import org.jspecify.annotations.Nullable;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.Qp;
import org.railyard.verbs.VerbsException;

/**
 * A region of memory that is registered in a cache. Without a window it takes the keys of what it is prepared for, and
 * work requests have nothing to do; with one, they open that memory to the peer and shut it (spec 24 §8.3).
 */
final class CachedRegion implements FastRegion {
    private final CachedMemory owner;
    private final int maxPages;
    private final @Nullable MemoryWindow window;
    private RegistrationCache.@Nullable Entry entry;
    private long address;
    private long bytes;

    CachedRegion(CachedMemory owner, int maxPages, @Nullable MemoryWindow window) {
        this.owner = owner;
        this.maxPages = maxPages;
        this.window = window;
    }

    CachedMemory owner() {
        return owner;
    }

    /** Returns the window that work requests bind; null if they have nothing to do. */
    @Nullable
    MemoryWindow window() {
        return window;
    }

    @Override
    public long prepare(DmaList pages, Qp qp) {
        RegistrationCache.Entry found =
                pages.size() == 0 ? null : owner.cache().held(pages.address(0), pages.length(0));
        if (found == null
                || !found.contains(pages.address(0), pages.bytes())
                || !isOneRun(pages)
                || pages.pages(CachedMemory.PAGE_BYTES) > maxPages) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    pages + " are not one run of bytes, of at most " + maxPages
                            + " pages, in memory that is registered as a whole");
        }
        if (window != null) {
            window.prepare(((IbvQp) qp).windows());
        }
        entry = found;
        address = pages.address(0);
        bytes = pages.bytes();
        return address;
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

    /** Returns the memory that it was prepared for; null if it was not. */
    RegistrationCache.@Nullable Entry entry() {
        return entry;
    }

    /** Returns the address of the first byte. */
    long address() {
        return address;
    }

    /** Returns how many bytes there are. */
    long bytes() {
        return bytes;
    }

    @Override
    public int localKey() {
        return entry == null ? 0 : entry.region().localKey();
    }

    @Override
    public int remoteKey() {
        if (window != null) {
            return window.preparedKey();
        }
        return entry == null ? 0 : entry.region().remoteKey();
    }

    /** Gives the window back; its memory belongs to the cache. */
    @Override
    public void close() {
        entry = null;
        if (window != null) {
            window.giveBack();
        }
        owner.forget(this);
    }
}
