package org.railyard.verbs;

/**
 * How the queue pair of a connection behaves.
 *
 * @param retryCount how often an unanswered message is sent again, 0…7
 * @param rnrRetryCount how often a message is sent again for which the peer had no receive, 0…7; 7 means for ever
 * @param maxMtu largest packet of both directions, bytes: 256, 512, 1024, 2048 or 4096; 0 for what the path takes. Only
 *     the side that connects decides
 */
public record ConnectParameters(int retryCount, int rnrRetryCount, int maxMtu) {
    /** The counts of the LNet transport: 5 and 6. */
    public static final ConnectParameters DEFAULT = new ConnectParameters(5, 6);

    /** {@link #rnrRetryCount} that never ends. */
    public static final int FOR_EVER = 7;

    private static final int SMALLEST_MTU = 256;
    private static final int LARGEST_MTU = 4096;

    /** Checks the ranges. */
    public ConnectParameters {
        if (retryCount < 0 || retryCount > 7 || rnrRetryCount < 0 || rnrRetryCount > 7) {
            throw new IllegalArgumentException(
                    "retry counts " + retryCount + " and " + rnrRetryCount + ", expected 0…7");
        }
        if (maxMtu != 0 && (maxMtu < SMALLEST_MTU || maxMtu > LARGEST_MTU || Integer.bitCount(maxMtu) != 1)) {
            throw new IllegalArgumentException("MTU " + maxMtu + ", expected 0, 256, 512, 1024, 2048 or 4096");
        }
    }

    /** Makes parameters with the MTU of the path. */
    public ConnectParameters(int retryCount, int rnrRetryCount) {
        this(retryCount, rnrRetryCount, 0);
    }

    /** Returns the largest packet over a path, bytes. */
    public int mtu(int pathMtu) {
        return maxMtu == 0 ? pathMtu : Math.min(pathMtu, maxMtu);
    }
}
