package org.railyard.cli.lnetctl.top;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.railyard.control.figures.Rated;

/** What rows are sorted by; equal ones by NID. */
enum Order {
    /** The busiest first, by messages. */
    RATE(Comparator.comparingDouble((Rated each) -> known(each.out()) + known(each.in()))
            .reversed()),
    /** The busiest first, by bytes. */
    BYTES(Comparator.comparingDouble((Rated each) -> known(each.outBytes()) + known(each.inBytes()))
            .reversed()),
    /** The least healthy first. */
    HEALTH(Comparator.comparing((Rated each) -> !each.isDown())
            .thenComparingLong(each -> each.now().health())),
    /** The fewest credits first. */
    CREDITS(Comparator.comparingLong((Rated each) -> each.now().credits())),
    /** By NID. */
    NID(Comparator.comparing((Rated each) -> each.now().nid()));

    @SuppressWarnings("ImmutableEnumChecker") // Without state.
    private final Comparator<Rated> comparator;

    Order(Comparator<Rated> comparator) {
        this.comparator = comparator.thenComparing(each -> each.now().nid());
    }

    private static double known(double rate) {
        return Double.isNaN(rate) ? 0 : rate;
    }

    /** Returns rows in this order. */
    List<Rated> sorted(List<Rated> rows) {
        return rows.stream().sorted(comparator).toList();
    }

    /** Returns the one after it. */
    Order next() {
        return values()[(ordinal() + 1) % values().length];
    }

    /** Returns its name, as it is typed. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the names of all. */
    static List<String> names() {
        return Arrays.stream(values()).map(Order::text).toList();
    }

    /** Returns the one with a name. */
    static Optional<Order> named(String name) {
        return Arrays.stream(values()).filter(each -> each.text().equals(name)).findFirst();
    }
}
