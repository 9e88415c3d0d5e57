package org.railyard.cli.lab;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Seeds from a first to a last one.
 *
 * @param first the first
 * @param last the last
 */
public record SeedRange(long first, long last) {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,18})(?:-([0-9]{1,18}))?");

    /** Returns how many seeds there are. */
    public long count() {
        return last - first + 1;
    }

    /** Reads one seed. */
    public static final class Single implements ITypeConverter<Long> {
        /** Made by picocli. */
        public Single() {}

        @Override
        public Long convert(String text) {
            Matcher found = FORM.matcher(text);
            if (found.matches() && found.group(2) == null) {
                return Long.valueOf(found.group(1));
            }
            throw new TypeConversionException("found '" + text + "', expected a seed, 0 or more");
        }
    }

    /** Reads {@code N} or {@code A-B}. */
    public static final class Converter implements ITypeConverter<SeedRange> {
        /** Made by picocli. */
        public Converter() {}

        @Override
        public SeedRange convert(String text) {
            Matcher found = FORM.matcher(text);
            if (found.matches()) {
                long first = Long.parseLong(found.group(1));
                long last = found.group(2) == null ? first : Long.parseLong(found.group(2));
                if (first <= last) {
                    return new SeedRange(first, last);
                }
            }
            throw new TypeConversionException("found '" + text + "', expected a seed or a range such as 1-1000");
        }
    }
}
