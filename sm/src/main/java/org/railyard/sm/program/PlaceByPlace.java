package org.railyard.sm.program;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.IntFunction;

/**
 * Updates of one place after the other, such as ports, each asked for when its turn comes. In most sweeps most places
 * need nothing. Not thread-safe.
 */
final class PlaceByPlace implements Iterator<Update> {
    private final int places;
    private final IntFunction<List<Update>> updatesAt;
    private int place;
    private Iterator<Update> here = List.<Update>of().iterator();

    /** Asks for the updates of places from 0 on. */
    PlaceByPlace(int places, IntFunction<List<Update>> updatesAt) {
        this.places = places;
        this.updatesAt = updatesAt;
    }

    @Override
    public boolean hasNext() {
        while (!here.hasNext() && place < places) {
            List<Update> updates = updatesAt.apply(place++);
            if (!updates.isEmpty()) {
                here = updates.iterator();
            }
        }
        return here.hasNext();
    }

    @Override
    public Update next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return here.next();
    }
}
