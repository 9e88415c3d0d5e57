package org.railyard.cli.fabric;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Loads to simulate, as people write them.
 *
 * @param all each above 0 and at most 1, ascending
 */
public record LoadList(List<Double> all) {
    /** Most loads in one go. */
    static final int MAX_LOADS = 1000;

    private static final Pattern FORM =
            Pattern.compile("([0-9]\\.?[0-9]{0,6})(?::([0-9]\\.?[0-9]{0,6}):([0-9]\\.?[0-9]{0,6}))?");

    /** Copies the list. */
    public LoadList {
        all = List.copyOf(all);
    }

    /** Reads {@code A}, {@code A:B:STEP}, or several of these with commas between. */
    public static final class Converter implements ITypeConverter<LoadList> {
        /** Made by picocli. */
        public Converter() {}

        @Override
        public LoadList convert(String text) {
            TreeSet<Double> all = new TreeSet<>();
            for (String part : text.split(",", -1)) {
                all.addAll(range(part, text));
            }
            if (all.size() > MAX_LOADS) {
                throw wrong(text);
            }
            return new LoadList(List.copyOf(all));
        }

        private static List<Double> range(String part, String text) {
            Matcher found = FORM.matcher(part);
            if (found.matches()) {
                BigDecimal first = new BigDecimal(found.group(1));
                BigDecimal last = found.group(2) == null ? first : new BigDecimal(found.group(2));
                BigDecimal step = found.group(3) == null ? BigDecimal.ONE : new BigDecimal(found.group(3));
                List<Double> loads = new ArrayList<>();
                boolean isRange = first.signum() > 0 && last.compareTo(BigDecimal.ONE) <= 0 && step.signum() > 0;
                for (BigDecimal load = first; isRange && load.compareTo(last) <= 0; load = load.add(step)) {
                    loads.add(load.doubleValue());
                    isRange = loads.size() <= MAX_LOADS;
                }
                if (isRange && !loads.isEmpty()) {
                    return loads;
                }
            }
            throw wrong(text);
        }

        private static TypeConversionException wrong(String text) {
            return new TypeConversionException("found '" + text
                    + "', expected a load such as 0.5, A:B:STEP such as 0.1:1:0.1, or a list such as 0.1,0.3,0.5, above"
                    + " 0 and at most 1, at most " + MAX_LOADS + " of them");
        }
    }
}
