package org.railyard.cli.demo;

import java.util.Locale;

/**
 * What the demo measured.
 *
 * @param seconds how long traffic ran
 * @param transactions transactions that the target confirmed
 * @param lost transactions given up
 * @param repeats transactions done once more because LNet reported them as failed or timed out
 * @param wrong transactions whose bytes were not what they should be
 * @param bytes payload of confirmed transactions
 */
record DemoFigures(double seconds, long transactions, long lost, long repeats, long wrong, long bytes) {
    double gigabytesPerSecond() {
        return bytes / 1e9 / seconds;
    }

    boolean isGood() {
        return lost == 0 && wrong == 0 && transactions > 0;
    }

    String summary() {
        return String.format(
                Locale.ROOT,
                "demo: %d transactions, %d lost, %.2f GB/s, %d repeated by the application, %d with wrong bytes, %.1f"
                        + " s",
                transactions,
                lost,
                gigabytesPerSecond(),
                repeats,
                wrong,
                seconds);
    }

    String json() {
        return String.format(
                Locale.ROOT,
                "{\"transactions\": %d, \"lost\": %d, \"repeats\": %d, \"wrong\": %d, \"bytes\": %d, \"seconds\":"
                        + " %.3f, \"gigabytes_per_second\": %.3f}%n",
                transactions,
                lost,
                repeats,
                wrong,
                bytes,
                seconds,
                gigabytesPerSecond());
    }
}
