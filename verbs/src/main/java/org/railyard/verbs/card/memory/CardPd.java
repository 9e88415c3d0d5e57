package org.railyard.verbs.card.memory;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.Access;
import org.railyard.verbs.ArenaRegion;
import org.railyard.verbs.DeviceAttributes.Ability;
import org.railyard.verbs.DmaList;
import org.railyard.verbs.DmaSpace;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.FmrRegion;
import org.railyard.verbs.MemoryKeys;
import org.railyard.verbs.MemorySource;
import org.railyard.verbs.NativeMemory;
import org.railyard.verbs.Pd;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;

/** A protection domain of a card made of software. */
public final class CardPd implements Pd {
    private final CardMemory memory;
    private final MemorySource source;
    private final List<Region> regions = new ArrayList<>();
    private final DmaRegion local;
    private @Nullable DmaRegion global;

    /** Makes a domain without regions. */
    public CardPd(CardMemory memory) {
        this(memory, NativeMemory::allocate);
    }

    /**
     * Makes a domain without regions.
     *
     * @param source of memory that is asked of it
     */
    public CardPd(CardMemory memory, MemorySource source) {
        this.memory = memory;
        this.source = source;
        this.local = add(new DmaRegion(this, Access.LOCAL_WRITE));
    }

    private <T extends Region> T add(T region) {
        regions.add(region);
        return region;
    }

    void forget(Region region) {
        region.drop();
        regions.remove(region);
    }

    /** Returns the memory that its regions are part of. */
    public CardMemory memory() {
        return memory;
    }

    /**
     * Returns the region through which queue pairs of this domain may access bytes.
     *
     * @param rights bits of {@link Access}, 0 to read
     * @return null if the key belongs to no region of the domain, or that region does not allow it
     */
    public @Nullable Region region(int key, long address, long length, int rights) {
        Region region = memory.keys().find(key);
        return region != null && region.pd() == this && region.allows(address, length, rights) ? region : null;
    }

    /**
     * Carries out a work request that registers a region.
     *
     * @param rights bits of {@link Access}
     * @return false if it is no region of this domain, or registered
     */
    public boolean register(@Nullable FastRegion region, int rights) {
        if (region instanceof CardFastRegion known && known.pd() == this && !known.isMapped()) {
            known.register(rights & (Access.LOCAL_WRITE | Access.REMOTE_WRITE));
            return true;
        }
        return false;
    }

    /**
     * Carries out a work request that invalidates a region.
     *
     * @return false if it is no region of this domain, or not registered
     */
    public boolean invalidate(@Nullable FastRegion region) {
        if (region instanceof CardFastRegion known && known.pd() == this && known.isMapped()) {
            known.shut();
            return true;
        }
        return false;
    }

    @Override
    public VerbsDevice device() {
        return memory.device();
    }

    @Override
    public MemorySegment allocate(long bytes, long alignment) {
        return source.allocate(bytes, alignment);
    }

    @Override
    public ArenaRegion registerArena(MemorySegment bytes, int access) {
        if (!bytes.isNative() || bytes.byteSize() == 0) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    "an arena must be off-heap and not empty: " + bytes.byteSize() + " bytes");
        }
        memory.mayFail("an arena", bytes.byteSize(), "bytes");
        return add(new CardArena(this, bytes, access));
    }

    private void need(Ability ability) {
        if (!device().attributes().has(ability)) {
            throw new VerbsException(VerbsException.Code.EOPNOTSUPP, device() + " does not offer " + ability);
        }
    }

    private void checkPages(int maxPages) {
        int limit = device().attributes().maxPageList();
        if (maxPages < 1 || maxPages > limit) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    "a region of " + maxPages + " pages; " + device() + " makes 1…" + limit);
        }
    }

    @Override
    public FastRegion allocateFastRegion(int maxPages, boolean gaps) {
        need(Ability.FAST_REG);
        if (gaps) {
            need(Ability.SG_GAPS);
        }
        checkPages(maxPages);
        memory.mayFail("a region", maxPages, "pages");
        return add(new CardFastRegion(this, maxPages, gaps));
    }

    @Override
    public FmrRegion allocateFmr(int maxPages) {
        need(Ability.FMR);
        checkPages(maxPages);
        memory.mayFail("a region", maxPages, "pages");
        return add(new CardFmr(this, maxPages));
    }

    @Override
    public @Nullable MemoryKeys globalRegion() {
        if (!device().attributes().has(Ability.GLOBAL_REGION)) {
            return null;
        }
        if (global == null) {
            global = add(new DmaRegion(this, Access.LOCAL_WRITE | Access.REMOTE_WRITE));
        }
        return global;
    }

    @Override
    public DmaSpace dma() {
        return new Space();
    }

    @Override
    public void close() {
        regions.forEach(Region::drop);
        regions.clear();
    }

    private final class Space implements DmaSpace {
        @Override
        public int pageBytes() {
            return memory.dma().model().pageBytes();
        }

        @Override
        public int map(MemorySegment bytes, DmaList into) {
            memory.mayFail("memory", bytes.byteSize(), "bytes");
            return memory.dma().map(bytes, into);
        }

        @Override
        public void unmap(DmaList pieces) {
            memory.dma().unmap(pieces);
        }

        @Override
        public int localKey() {
            return local.localKey();
        }
    }
}
