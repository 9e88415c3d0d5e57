package org.railyard.sm;

import java.util.List;

/** The first of many names, for one line of a note. */
final class SomeNames {
    private SomeNames() {}

    /** Returns the first ones, and how many others there are. */
    static String of(List<String> all, int most) {
        return of(all, most, ", ");
    }

    /** Returns the first ones with something else than commas between them, and how many others there are. */
    static String of(List<String> all, int most, String between) {
        String some = String.join(between, all.subList(0, Math.min(most, all.size())));
        int more = all.size() - most;
        return more > 0 ? some + " and " + more + (more == 1 ? " other" : " others") : some;
    }
}
