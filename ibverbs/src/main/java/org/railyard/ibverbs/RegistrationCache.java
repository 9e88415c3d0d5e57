package org.railyard.ibverbs;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.VerbsException;

/**
 * Memory of users that stays registered after its use, so that the next use costs a look (spec 24 §8.3). An entry is
 * found by the scope of the memory and its bytes, and only as long as the scope is alive: an arena that was closed may
 * have left its addresses to other memory. An entry keeps its memory reachable. What was not used for the longest time
 * goes first, and nothing goes that a transfer uses. Not thread-safe.
 */
final class RegistrationCache {
    /** Most regions. */
    static final int MAX_REGIONS = 4096;

    /** Most bytes, where the system sets no limit. */
    static final long MAX_BYTES = 1L << 30;

    /** Most regions before an address that are looked at for one that has it. */
    private static final int LOOKS = 8;

    /** Memory that is registered. */
    static final class Entry {
        private final MemorySegment memory;
        private final IbvArena region;
        private final Place place;
        private final BoundWindows windows = new BoundWindows();
        private int users;

        private Entry(MemorySegment memory, IbvArena region, Place place) {
            this.memory = memory;
            this.region = region;
            this.place = place;
        }

        IbvArena region() {
            return region;
        }

        /** Returns the windows that are bound to it. */
        BoundWindows windows() {
            return windows;
        }

        /** Tells whether it may go: no transfer uses it, or waits with a key of a window that is still bound here. */
        private boolean isFree() {
            return users == 0 && !windows.areAwaited();
        }

        private boolean isAlive() {
            return memory.scope().isAlive();
        }

        /** Tells whether it has the bytes of memory, and is about that memory and no other at its addresses. */
        private boolean isFor(MemorySegment other) {
            return isAlive() && memory.scope().equals(other.scope()) && contains(other.address(), other.byteSize());
        }

        boolean contains(long address, long bytes) {
            long start = memory.address();
            return address >= start && bytes <= memory.byteSize() && address - start <= memory.byteSize() - bytes;
        }
    }

    /** Where an entry begins; several may begin at the same address. */
    private record Place(long start, long serial) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byStart = Long.compare(start, other.start);
            return byStart == 0 ? Long.compare(serial, other.serial) : byStart;
        }
    }

    /** A piece of memory that transfers use. */
    private record Piece(long address, long length) {}

    /** Who uses a piece. */
    private static final class Use {
        private final Entry entry;
        private int count = 1;

        private Use(Entry entry) {
            this.entry = entry;
        }
    }

    private final Function<MemorySegment, IbvArena> registrar;
    private final long maxBytes;
    private final int maxRegions;
    private final NavigableMap<Place, Entry> entries = new TreeMap<>();
    private final LinkedHashSet<Entry> idle = new LinkedHashSet<>();
    private final Map<Piece, Use> uses = new HashMap<>();

    /** Went, but the card has not carried out yet that a window ends, so the region is still there. */
    private final ArrayDeque<Entry> going = new ArrayDeque<>();

    private long bytes;
    private long serials;

    /**
     * Makes an empty one.
     *
     * @param registrar registers memory
     * @param maxBytes most bytes
     * @param maxRegions most regions
     */
    RegistrationCache(Function<MemorySegment, IbvArena> registrar, long maxBytes, int maxRegions) {
        this.registrar = registrar;
        this.maxBytes = maxBytes;
        this.maxRegions = maxRegions;
    }

    /** Returns how many bytes are registered. */
    long bytes() {
        return bytes;
    }

    /** Returns how many regions there are. */
    int regions() {
        return entries.size();
    }

    /**
     * Has memory registered until {@link #release}.
     *
     * @param memory off-heap
     * @throws VerbsException EINVAL if a transfer still uses the addresses for memory that is gone; ENOMEM if it does
     *     not fit, or can not be registered
     */
    Entry hold(MemorySegment memory) {
        Piece piece = new Piece(memory.address(), memory.byteSize());
        Use known = uses.get(piece);
        if (known != null) {
            if (!known.entry.isFor(memory)) {
                throw new VerbsException(
                        VerbsException.Code.EINVAL,
                        memory.byteSize() + " bytes are where a transfer still uses memory that was given back");
            }
            known.count++;
            return known.entry;
        }
        Entry found = find(memory);
        Entry entry = found == null ? register(memory) : found;
        uses.put(piece, new Use(entry));
        entry.users++;
        idle.remove(entry);
        return entry;
    }

    /** Returns the entry that a piece is held in; null if it is not held. */
    @Nullable
    Entry held(long address, long length) {
        Use use = uses.get(new Piece(address, length));
        return use == null ? null : use.entry;
    }

    /** Ends a {@link #hold} of memory; what is not held does not matter. */
    void release(long address, long length) {
        Piece piece = new Piece(address, length);
        Use use = uses.get(piece);
        if (use == null || --use.count > 0) {
            return;
        }
        uses.remove(piece);
        if (--use.entry.users == 0) {
            if (use.entry.isAlive() || !use.entry.isFree()) {
                idle.add(use.entry);
            } else {
                drop(use.entry);
            }
        }
    }

    private @Nullable Entry find(MemorySegment memory) {
        int looks = 0;
        for (Entry each : entries.headMap(new Place(memory.address(), Long.MAX_VALUE), true)
                .descendingMap()
                .values()) {
            if (each.isFor(memory)) {
                return each;
            }
            if (++looks == LOOKS) {
                return null;
            }
        }
        return null;
    }

    private Entry register(MemorySegment memory) {
        long wanted = memory.byteSize();
        endGoing();
        for (Entry each : List.copyOf(idle)) {
            // Memory that is gone, and what the new region has as well.
            boolean within = each.memory.address() >= memory.address()
                    && each.memory.address() + each.memory.byteSize() <= memory.address() + wanted;
            if ((within || !each.isAlive()) && each.isFree()) {
                drop(each);
            }
        }
        while (bytes + wanted > maxBytes || entries.size() >= maxRegions) {
            if (wanted > maxBytes || !dropOldest()) {
                throw new VerbsException(
                        VerbsException.Code.ENOMEM,
                        wanted + " bytes do not fit beside " + bytes + " that are registered for transfers; at most "
                                + maxBytes + " in " + maxRegions + " regions");
            }
        }
        Entry made = new Entry(memory, region(memory), new Place(memory.address(), ++serials));
        entries.put(made.place, made);
        bytes += wanted;
        return made;
    }

    private IbvArena region(MemorySegment memory) {
        while (true) {
            try {
                return registrar.apply(memory);
            } catch (VerbsException e) {
                if (e.code() != VerbsException.Code.ENOMEM || !dropOldest()) {
                    throw e;
                }
            }
        }
    }

    private boolean dropOldest() {
        for (Entry each : idle) {
            if (each.isFree()) {
                drop(each);
                return true;
            }
        }
        return false;
    }

    private void drop(Entry entry) {
        idle.remove(entry);
        entries.remove(entry.place);
        entry.windows.giveBack();
        if (entry.region.tryClose()) {
            bytes -= entry.memory.byteSize();
        } else {
            going.add(entry);
        }
    }

    private void endGoing() {
        for (int i = going.size(); i > 0; i--) {
            Entry entry = going.remove();
            if (entry.region.tryClose()) {
                bytes -= entry.memory.byteSize();
            } else {
                going.add(entry);
            }
        }
    }
}
