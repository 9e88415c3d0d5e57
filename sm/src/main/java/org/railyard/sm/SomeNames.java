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

    /**
     * Returns a line about all of them, or none.
     *
     * @param ofOne what is behind the name of a single one
     * @param ofMany what is before the first names of several, with {@code %d} for how many there are
     */
    static List<String> line(List<String> all, String ofOne, String ofMany, int most, String between) {
        return switch (all.size()) {
            case 0 -> List.of();
            case 1 -> List.of(all.getFirst() + ofOne);
            default -> List.of(ofMany.formatted(all.size()) + ": " + of(all, most, between));
        };
    }
}
