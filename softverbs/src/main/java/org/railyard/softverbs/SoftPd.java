package org.railyard.softverbs;

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
import org.railyard.verbs.Pd;
import org.railyard.verbs.VerbsException;

/** A protection domain of a simulated card. */
final class SoftPd implements Pd {
    private final SoftDevice device;
    private final List<Region> regions = new ArrayList<>();
    private final DmaRegion local;
    private @Nullable DmaRegion global;

    SoftPd(SoftDevice device) {
        this.device = device;
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

    @Override
    public SoftDevice device() {
        return device;
    }

    private void mayFail(String what) {
        if (device.takeRegistrationFailure()) {
            throw new VerbsException(VerbsException.Code.ENOMEM, device + " can not register " + what);
        }
    }

    @Override
    public ArenaRegion registerArena(MemorySegment memory, int access) {
        if (!memory.isNative() || memory.byteSize() == 0) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    "an arena must be off-heap and not empty: " + memory.byteSize() + " bytes");
        }
        mayFail("an arena of " + memory.byteSize() + " bytes");
        return add(new SoftArena(this, memory, access));
    }

    private void need(Ability ability) {
        if (!device.attributes().has(ability)) {
            throw new VerbsException(VerbsException.Code.EOPNOTSUPP, device + " does not offer " + ability);
        }
    }

    private void checkPages(int maxPages) {
        int limit = device.attributes().maxPageList();
        if (maxPages < 1 || maxPages > limit) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL, "a region of " + maxPages + " pages; " + device + " makes 1…" + limit);
        }
    }

    @Override
    public FastRegion allocateFastRegion(int maxPages, boolean gaps) {
        need(Ability.FAST_REG);
        if (gaps) {
            need(Ability.SG_GAPS);
        }
        checkPages(maxPages);
        mayFail("a region of " + maxPages + " pages");
        return add(new SoftFastRegion(this, maxPages, gaps));
    }

    @Override
    public FmrRegion allocateFmr(int maxPages) {
        need(Ability.FMR);
        checkPages(maxPages);
        mayFail("a region of " + maxPages + " pages");
        return add(new SoftFmr(this, maxPages));
    }

    @Override
    public @Nullable MemoryKeys globalRegion() {
        if (!device.attributes().has(Ability.GLOBAL_REGION)) {
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
            return device.dma().model().pageBytes();
        }

        @Override
        public int map(MemorySegment memory, DmaList into) {
            mayFail("memory of " + memory.byteSize() + " bytes");
            return device.dma().map(memory, into);
        }

        @Override
        public void unmap(DmaList pieces) {
            device.dma().unmap(pieces);
        }

        @Override
        public int localKey() {
            return local.localKey();
        }
    }
}
