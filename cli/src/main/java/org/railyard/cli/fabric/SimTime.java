package org.railyard.cli.fabric;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times of a simulation, as people write them. */
final class SimTime {
    /** Longest time, ns: ten seconds. */
    static final long MAX_NANOS = 10_000_000_000L;

    private static final Pattern FORM = Pattern.compile("([0-9]{1,11}(?:\\.[0-9]{1,9})?) ?(ns|us|µs|ms|s)");

    private SimTime() {}

    /**
     * Returns a time in ns, rounded.
     *
     * @param option where it stands
     * @throws FabricInputException if it is none, or longer than {@link #MAX_NANOS}
     */
    static long nanos(String option, String text) {
        Matcher found = FORM.matcher(text.strip());
        if (found.matches()) {
            BigDecimal nanos = new BigDecimal(found.group(1)).multiply(BigDecimal.valueOf(unit(found.group(2))));
            if (nanos.compareTo(BigDecimal.valueOf(MAX_NANOS)) <= 0) {
                return nanos.setScale(0, RoundingMode.HALF_UP).longValueExact();
            }
        }
        throw new FabricInputException("%s: found \"%s\", expected a time such as 500ns, 20us or 1.5ms, at most 10s"
                .formatted(option, text.strip()));
    }

    /**
     * Returns a time above 0 in ns, rounded.
     *
     * @param option where it stands
     * @throws FabricInputException as {@link #nanos}, or if it is less than half a nanosecond
     */
    static long some(String option, String text) {
        long nanos = nanos(option, text);
        if (nanos == 0) {
            throw new FabricInputException(
                    "%s: found \"%s\", expected a time of 1ns or more, at most 10s".formatted(option, text.strip()));
        }
        return nanos;
    }

    private static long unit(String name) {
        return switch (name) {
            case "ns" -> 1;
            case "ms" -> 1_000_000;
            case "s" -> 1_000_000_000;
            default -> 1_000;
        };
    }
}
