package org.railyard.ibverbs;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.verbs.Access;
import org.railyard.verbs.ArenaRegion;
import org.railyard.verbs.DmaSpace;
import org.railyard.verbs.FastRegion;
import org.railyard.verbs.FmrRegion;
import org.railyard.verbs.MemoryKeys;
import org.railyard.verbs.Pd;
import org.railyard.verbs.VerbsException;

/**
 * A protection domain of a card. Memory is registered by its virtual address: for good, or in a cache, or all of it on
 * demand; what kernels have besides does not exist for programs (spec 24 §8.2).
 */
final class IbvPd implements Pd {
    private static final System.Logger LOG = System.getLogger(IbvPd.class.getName());

    private final IbvDevice device;
    private final NativeVerbs verbs;
    private final long address;
    private final List<IbvArena> regions = new CopyOnWriteArrayList<>();
    private final List<IbvQp> qps = new CopyOnWriteArrayList<>();
    private @Nullable CachedMemory cached;
    private @Nullable OnDemandMemory onDemand;
    private boolean closed;

    IbvPd(IbvDevice device) {
        this.device = device;
        this.verbs = device.provider().verbs();
        this.address = verbs.allocatePd(device.context());
        if (address == 0) {
            throw NativeVerbs.failed(device + ": no protection domain can be made", NativeVerbs.errno());
        }
        device.provider().add(this);
    }

    long address() {
        return address;
    }

    boolean isClosed() {
        return closed;
    }

    void add(IbvQp qp) {
        qps.add(qp);
    }

    void forget(IbvQp qp) {
        qps.remove(qp);
    }

    void forget(IbvArena region) {
        regions.remove(region);
    }

    @Override
    public IbvDevice device() {
        return device;
    }

    @Override
    public ArenaRegion registerArena(MemorySegment memory, int access) {
        if (!memory.isNative() || memory.byteSize() == 0 || closed) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    closed
                            ? "the protection domain is closed"
                            : "an arena must be off-heap and not empty: " + memory.byteSize() + " bytes");
        }
        // A card insists on the local right beside the remote one.
        int remote = (access & Access.REMOTE_WRITE) == 0 ? 0 : Access.REMOTE_WRITE | Access.LOCAL_WRITE;
        return register(memory, access & Access.LOCAL_WRITE | remote);
    }

    /** Registers memory with rights as the card has them. */
    IbvArena register(MemorySegment memory, int rights) {
        IbvArena region = new IbvArena(this, memory, rights);
        regions.add(region);
        return region;
    }

    private VerbsException notOffered(String what) {
        return new VerbsException(VerbsException.Code.EOPNOTSUPP, what + " are for kernels; " + device + " has none");
    }

    @Override
    public FastRegion allocateFastRegion(int maxPages, boolean gaps) {
        CachedMemory memory = cached();
        if (memory == null || gaps) {
            throw notOffered("regions that work requests register");
        }
        if (maxPages < 1 || maxPages > DeviceFacts.MAX_PAGE_LIST) {
            throw new VerbsException(
                    VerbsException.Code.EINVAL,
                    "a region of " + maxPages + " pages; " + device + " makes 1…" + DeviceFacts.MAX_PAGE_LIST);
        }
        return memory.region(maxPages);
    }

    private @Nullable CachedMemory cached() {
        MemoryMode mode = device.memoryMode();
        if (cached == null && !closed && (mode == MemoryMode.CACHE || mode == MemoryMode.WINDOW)) {
            cached = new CachedMemory(this, mode == MemoryMode.WINDOW);
        }
        return cached;
    }

    /** Tells whether a region is one that work requests of this domain may name. */
    boolean isOwn(@Nullable FastRegion region) {
        return cached != null && cached.has(region);
    }

    private @Nullable OnDemandMemory onDemand() {
        if (onDemand == null && !closed && device.memoryMode() == MemoryMode.ON_DEMAND) {
            onDemand = OnDemandMemory.register(verbs, address, device.name());
        }
        return onDemand;
    }

    @Override
    public FmrRegion allocateFmr(int maxPages) {
        throw notOffered("zero-based regions");
    }

    @Override
    public @Nullable MemoryKeys globalRegion() {
        return onDemand();
    }

    @Override
    public @Nullable DmaSpace dma() {
        CachedMemory memory = cached();
        return memory == null ? onDemand() : memory;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (IbvQp qp : qps) {
            LOG.log(System.Logger.Level.WARNING, "{0} was open when its protection domain was closed", qp);
            qp.close();
        }
        if (cached != null) {
            cached.close();
        }
        regions.forEach(IbvArena::close);
        if (onDemand != null) {
            onDemand.close();
        }
        int errno = verbs.deallocatePd(address);
        if (errno != 0) {
            LOG.log(System.Logger.Level.WARNING, "a domain of {0} was not given back: errno {1}", device, errno);
        }
        device.provider().forget(this);
    }
}
