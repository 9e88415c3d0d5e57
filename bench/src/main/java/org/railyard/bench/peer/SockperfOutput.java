package org.railyard.bench.peer;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.railyard.bench.compare.Sample;

/**
 * The percentiles of {@code sockperf ping-pong --full-rtt}, in µs. sockperf exits with 0 even if it could not connect,
 * so the text must be asked.
 */
final class SockperfOutput {
    private static final String FIGURE = "\\s*=\\s*([0-9]{1,12}(?:\\.[0-9]{0,9})?)";
    private static final Pattern ERROR = Pattern.compile("ERROR: ([^\\n]{0,200})");
    private static final Pattern ROUND_TRIP = Pattern.compile("Round trip is");
    private static final Pattern OBSERVATIONS = Pattern.compile("Total ([0-9]{1,18}) observations");
    private static final Pattern P50 = Pattern.compile("percentile 50\\.000" + FIGURE);
    private static final Pattern P99 = Pattern.compile("percentile 99\\.000" + FIGURE);
    private static final Pattern P999 = Pattern.compile("percentile 99\\.900" + FIGURE);

    private SockperfOutput() {}

    /**
     * Reads the percentiles.
     *
     * @throws IOException if sockperf reports an error or a figure is not there
     */
    static Sample.Latency parse(String text) throws IOException {
        Matcher error = ERROR.matcher(text);
        if (error.find()) {
            throw new IOException("sockperf: " + error.group(1).strip());
        }
        if (!ROUND_TRIP.matcher(text).find()) {
            throw new IOException("the output of sockperf has no round trips");
        }
        return new Sample.Latency(
                Long.parseLong(find(OBSERVATIONS, text, "number of observations")),
                Double.parseDouble(find(P50, text, "percentile 50")),
                Double.parseDouble(find(P99, text, "percentile 99")),
                Double.parseDouble(find(P999, text, "percentile 99.9")));
    }

    private static String find(Pattern pattern, String text, String what) throws IOException {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IOException("the output of sockperf has no " + what);
        }
        return matcher.group(1);
    }
}
