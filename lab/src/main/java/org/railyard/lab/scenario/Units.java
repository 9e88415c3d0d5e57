package org.railyard.lab.scenario;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Numbers with units, as people write them. */
final class Units {
    /** Time, ns. */
    static final Units TIME = new Units(
            "a time such as 20us, 5ms, 1.5s or 2min",
            "ns",
            Map.of(
                    "ns",
                    1L,
                    "us",
                    1_000L,
                    "ms",
                    1_000_000L,
                    "s",
                    1_000_000_000L,
                    "min",
                    60_000_000_000L,
                    "h",
                    3_600_000_000_000L));

    /** Length, bytes. */
    static final Units SIZE = new Units(
            "a size such as 64, 4KiB or 1MiB", " bytes", Map.of("", 1L, "B", 1L, "KiB", 1L << 10, "MiB", 1L << 20));

    /** Bits per second. */
    static final Units BANDWIDTH = new Units(
            "a bandwidth such as 100Mb/s or 10Gb/s",
            " b/s",
            Map.of("b/s", 1L, "kb/s", 1_000L, "Mb/s", 1_000_000L, "Gb/s", 1_000_000_000L));

    /** Times per second. */
    static final Units RATE = new Units("a rate such as 100/s", "/s", Map.of("/s", 1L));

    private static final Pattern FORM = Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,9})?)\\s*(\\D*)");

    private final String expected;
    private final String base;
    private final Map<String, Long> factors;

    private Units(String expected, String base, Map<String, Long> factors) {
        this.expected = expected;
        this.base = base;
        this.factors = factors;
    }

    /** Says what to write. */
    String expected() {
        return expected;
    }

    /** Returns the quantity in base units, or null. */
    @Nullable
    Long parse(String text) {
        Matcher found = FORM.matcher(text.strip());
        if (!found.matches()) {
            return null;
        }
        Long factor = factors.get(found.group(2).strip());
        BigDecimal number = new BigDecimal(found.group(1));
        if (factor == null) {
            return number.signum() == 0 && found.group(2).isEmpty() ? 0L : null;
        }
        BigDecimal value = number.multiply(BigDecimal.valueOf(factor));
        return value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0 ? null : value.longValue();
    }

    /** Returns a quantity in the largest unit that divides it. */
    String format(long value) {
        String unit = base;
        long best = 1;
        for (Map.Entry<String, Long> each : factors.entrySet()) {
            if (each.getValue() > best && value != 0 && value % each.getValue() == 0) {
                best = each.getValue();
                unit = each.getKey();
            }
        }
        return value / best + unit;
    }
}
