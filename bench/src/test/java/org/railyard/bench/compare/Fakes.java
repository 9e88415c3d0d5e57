package org.railyard.bench.compare;

import java.util.Arrays;
import java.util.List;

/** Series of given figures. */
final class Fakes {
    private Fakes() {}

    /** Returns a peer whose rounds gave these messages per second. */
    static Series series(String name, long... perSecond) {
        return new Series(name, true, samples(perSecond), List.of(), null, false, null);
    }

    static List<Sample> samples(long... perSecond) {
        return Arrays.stream(perSecond)
                .<Sample>mapToObj(n -> new Sample.Rate(n, 1_000_000_000))
                .toList();
    }
}
