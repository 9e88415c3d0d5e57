package org.railyard.sm;

import java.util.List;

/** The first of many names, for one line of a note. */
final class SomeNames {
    private SomeNames() {}

    /** Returns the first ones, and how many others there are. */
    static String of(List<String> all, int most) {
        String some = String.join(", ", all.subList(0, Math.min(most, all.size())));
        return all.size() > most ? some + " and " + (all.size() - most) + " others" : some;
    }
}
