package org.railyard.bench.peer;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.railyard.bench.compare.Sample;

/**
 * The two figures needed of the JSON of {@code iperf3 -J}: bytes and seconds of {@code end.sum_received}, a flat object
 * of a name that occurs once. iperf3 exits with 0 even if it could not connect, so the text must be asked.
 */
final class Iperf3Output {
    private static final Pattern ERROR = Pattern.compile("\"error\"\\s*:\\s*\"([^\"]{0,200})");
    private static final Pattern SUM_RECEIVED = Pattern.compile("\"sum_received\"\\s*:\\s*\\{([^{}]*)\\}");
    private static final Pattern BYTES = Pattern.compile("\"bytes\"\\s*:\\s*([0-9]{1,18})\\b");
    private static final Pattern SECONDS = Pattern.compile("\"seconds\"\\s*:\\s*([0-9]{1,9}(?:\\.[0-9]{0,30})?)");

    private Iperf3Output() {}

    /**
     * Reads the sum over all streams, as the receiver saw it.
     *
     * @throws IOException if iperf3 reports an error or the figures are not there
     */
    static Sample.Bandwidth parse(String json) throws IOException {
        Matcher error = ERROR.matcher(json);
        if (error.find()) {
            throw new IOException("iperf3: " + error.group(1));
        }
        String sum = find(SUM_RECEIVED, json, "sum_received");
        long bytes = Long.parseLong(find(BYTES, sum, "bytes in sum_received"));
        long nanos = Math.round(Double.parseDouble(find(SECONDS, sum, "seconds in sum_received")) * 1e9);
        if (nanos == 0) {
            throw new IOException("iperf3 measured 0 seconds");
        }
        return new Sample.Bandwidth(bytes, nanos);
    }

    private static String find(Pattern pattern, String text, String what) throws IOException {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IOException("the output of iperf3 has no " + what);
        }
        return matcher.group(1);
    }
}
