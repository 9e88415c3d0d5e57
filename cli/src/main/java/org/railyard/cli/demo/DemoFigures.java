package org.railyard.cli.demo;

import java.util.Locale;

/**
 * What the demo measured.
 *
 * @param seconds how long traffic ran
 * @param transactions transactions that the target confirmed
 * @param lost transactions given up
 * @param twice attempts that arrived more than once
 * @param resends messages that LNet sent again by itself
 * @param timeOuts transactions that LNet reported as timed out
 * @param repeats transactions done once more because LNet reported them as failed or timed out
 * @param wrong transactions whose bytes were not what they should be
 * @param bytes payload of confirmed transactions
 */
record DemoFigures(
        double seconds,
        long transactions,
        long lost,
        long twice,
        long resends,
        long timeOuts,
        long repeats,
        long wrong,
        long bytes) {
    double gigabytesPerSecond() {
        return bytes / 1e9 / seconds;
    }

    boolean isGood() {
        return lost == 0 && twice == 0 && wrong == 0 && transactions > 0;
    }

    String summary() {
        return String.format(
                Locale.ROOT,
                "demo: %d transactions, %d lost, %d delivered twice, %.2f GB/s, %d resent by LNet, %d timed out, %d"
                        + " repeated by the application, %d with wrong bytes, %.1f s",
                transactions,
                lost,
                twice,
                gigabytesPerSecond(),
                resends,
                timeOuts,
                repeats,
                wrong,
                seconds);
    }

    String json() {
        return String.format(
                Locale.ROOT,
                "{\"transactions\": %d, \"lost\": %d, \"delivered_twice\": %d, \"resends\": %d, \"timed_out\": %d,"
                        + " \"repeats\": %d, \"wrong\": %d, \"bytes\": %d, \"seconds\": %.3f, \"gigabytes_per_second\":"
                        + " %.3f}%n",
                transactions,
                lost,
                twice,
                resends,
                timeOuts,
                repeats,
                wrong,
                bytes,
                seconds,
                gigabytesPerSecond());
    }
}
