package org.railyard.softverbs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.VerbsException;

/** The memory regions of a card by their keys: the place in the table, and 8 bits that change. */
final class KeyTable {
    /** More would not fit into the 24 bits of a key that tell the place. */
    private static final int MAX_PLACES = 1 << 24;

    private final int max;
    /** Place 0 stays empty: key 0 gives access to nothing. */
    private final List<@Nullable Region> regions = new ArrayList<>();

    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    KeyTable(int max) {
        this.max = Math.min(max, MAX_PLACES - 1);
        regions.add(null);
    }

    int add(Region region) {
        if (regions.size() - 1 - free.size() >= max) {
            throw new VerbsException(VerbsException.Code.ENOMEM, "more than " + max + " memory regions");
        }
        Integer place = free.poll();
        if (place == null) {
            regions.add(region);
            return regions.size() - 1;
        }
        regions.set(place, region);
        return place;
    }

    void remove(Region region) {
        int place = Region.place(region.key());
        if (place < regions.size() && regions.get(place) == region) {
            regions.set(place, null);
            free.add(place);
        }
    }

    /** Returns the region of a key; null if it gives access to nothing. */
    @Nullable
    Region find(int key) {
        int place = Region.place(key);
        Region region = place < regions.size() ? regions.get(place) : null;
        return region != null && region.key() == key ? region : null;
    }

    void clear() {
        regions.clear();
        regions.add(null);
        free.clear();
    }
}
