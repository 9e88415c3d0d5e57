package org.railyard.cli.text;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The time between two readings of counters, as the {@code top} commands take it. */
public final class ReadingInterval {
    /** What a message says of an interval that is none. */
    public static final String EXPECTED = "expected 100ms to 3600s, such as 500ms or 5s";

    private static final Pattern TIME = Pattern.compile("([0-9]{1,6})(ms|s|)");
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofHours(1);

    private ReadingInterval() {}

    /**
     * Reads a number with {@code ms} or {@code s} behind it, s if neither is there; empty if it is not what is {@link
     * #EXPECTED}.
     */
    public static Optional<Duration> parse(String text) {
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(matcher.group(1));
        Duration interval = matcher.group(2).equals("ms") ? Duration.ofMillis(number) : Duration.ofSeconds(number);
        boolean isFit = interval.compareTo(SHORTEST) >= 0 && interval.compareTo(LONGEST) <= 0;
        return isFit ? Optional.of(interval) : Optional.empty();
    }
}
