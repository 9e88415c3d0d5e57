package org.railyard.cli.lnetctl.top;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.railyard.control.figures.Rated;
import org.railyard.control.figures.Reading;

/**
 * What is shown of a node.
 *
 * @param nis its NIs
 * @param peerNis NIs of its peers
 * @param more how many NIs of peers were left out
 */
record NodeFigures(List<Rated> nis, List<Rated> peerNis, long more) {
    /** Makes figures of a reading, with rates since an earlier one if there is one. */
    static NodeFigures of(@Nullable Reading before, Reading now) {
        return new NodeFigures(
                Rated.all(before, now, Reading::nis), Rated.all(before, now, Reading::peerNis), now.more());
    }

    /** Returns the sum over all NIs of the node, of those that are known. */
    double sum(ToDoubleFunction<Rated> which) {
        return nis.stream()
                .mapToDouble(which)
                .filter(each -> !Double.isNaN(each))
                .sum();
    }

    /** Returns the sum of counters over all NIs of the node. */
    long total(ToLongFunction<Reading.Counters> which) {
        return nis.stream().map(Rated::now).mapToLong(which).sum();
    }
}
