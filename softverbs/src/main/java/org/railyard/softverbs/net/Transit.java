package org.railyard.softverbs.net;

/**
 * How packets get from one port to another at present.
 *
 * @param arrives whether they do
 * @param delayNanos from the first bit sent to the first bit received, ns
 * @param bitsPerNano data rate of the slowest link
 * @param slowestLink its signalling rate, in units of 0.1 Mb/s
 * @param epoch the state of the subnet that this is true for
 */
record Transit(boolean arrives, long delayNanos, double bitsPerNano, long slowestLink, long epoch) {
    /** Returns how long some bytes take, ns. */
    long bytesNanos(long bytes) {
        return (long) (bytes * 8 / bitsPerNano);
    }
}
