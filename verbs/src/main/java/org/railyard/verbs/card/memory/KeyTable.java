package org.railyard.verbs.card.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.VerbsException;

/** The memory regions of a card by their keys: the place in the table, and 8 bits that change. */
public final class KeyTable {
    /** More would not fit into the 24 bits of a key that tell the place. */
    private static final int MAX_PLACES = 1 << 24;

    private static final int PLACE_BITS = 24;

    private final int max;
    private final @Nullable RandomGenerator secrets;
    private final int indexMask;

    /** Place 0 stays empty: key 0 gives access to nothing. */
    private final List<@Nullable Region> regions = new ArrayList<>();

    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    KeyTable(int max, @Nullable RandomGenerator secrets) {
        this.max = Math.min(max, MAX_PLACES - 1);
        this.secrets = secrets;
        this.indexMask = secrets == null ? MAX_PLACES - 1 : Integer.highestOneBit(this.max) * 2 - 1;
        regions.add(null);
    }

    /**
     * Takes a region in; returns its key, of which the bits that do not tell the place are secret if there are secrets.
     */
    int add(Region region) {
        if (regions.size() - 1 - free.size() >= max) {
            throw new VerbsException(VerbsException.Code.ENOMEM, "more than " + max + " memory regions");
        }
        Integer known = free.poll();
        int index = known == null ? regions.size() : known;
        if (known == null) {
            regions.add(region);
        } else {
            regions.set(index, region);
        }
        if (secrets == null) {
            return index << Region.VARIANT_BITS;
        }
        int secret = secrets.nextInt();
        int place = secret >>> Integer.SIZE - PLACE_BITS & ~indexMask | index;
        return place << Region.VARIANT_BITS | secret & (1 << Region.VARIANT_BITS) - 1;
    }

    private int index(int key) {
        return Region.place(key) & indexMask;
    }

    void remove(Region region) {
        int index = index(region.key());
        if (index < regions.size() && regions.get(index) == region) {
            regions.set(index, null);
            free.add(index);
        }
    }

    /** Returns the region of a key; null if it gives access to nothing. */
    public @Nullable Region find(int key) {
        int index = index(key);
        Region region = index < regions.size() ? regions.get(index) : null;
        return region != null && region.key() == key ? region : null;
    }

    /** Forgets everything. */
    public void clear() {
        regions.clear();
        regions.add(null);
        free.clear();
    }
}
