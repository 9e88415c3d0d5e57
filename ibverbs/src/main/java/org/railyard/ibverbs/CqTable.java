package org.railyard.ibverbs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The completion queues of a loop by their cookies, which are never used again. Makes no garbage in looking up. */
final class CqTable {
    private static final int FIRST_SIZE = 64;

    private @Nullable IbvCq[] places = new @Nullable IbvCq[FIRST_SIZE];
    private int size;
    private long lastCookie;

    /** Returns a cookie for a new queue, from 1, whose place is free. */
    long nextCookie() {
        if (size == places.length) {
            grow();
        }
        do {
            lastCookie++;
        } while (places[place(lastCookie)] != null);
        return lastCookie;
    }

    private int place(long cookie) {
        return (int) (cookie & places.length - 1);
    }

    /** Doubles the table: what had different places has different ones again. */
    private void grow() {
        @Nullable IbvCq[] old = places;
        places = new @Nullable IbvCq[old.length * 2];
        for (IbvCq each : old) {
            if (each != null) {
                places[place(each.cookie())] = each;
            }
        }
    }

    void add(IbvCq cq) {
        places[place(cq.cookie())] = cq;
        size++;
    }

    void remove(IbvCq cq) {
        if (places[place(cq.cookie())] == cq) {
            places[place(cq.cookie())] = null;
            size--;
        }
    }

    @Nullable
    IbvCq find(long cookie) {
        IbvCq there = places[place(cookie)];
        return there != null && there.cookie() == cookie ? there : null;
    }

    /** Returns a copy of the list. */
    List<IbvCq> all() {
        return new ArrayList<>(Arrays.stream(places).filter(Objects::nonNull).toList());
    }
}
