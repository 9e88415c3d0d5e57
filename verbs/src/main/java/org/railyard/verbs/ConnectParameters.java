package org.railyard.verbs;

/**
 * How the queue pair of a connection behaves.
 *
 * @param retryCount how often an unanswered message is sent again, 0…7
 * @param rnrRetryCount how often a message is sent again for which the peer had no receive, 0…7; 7 means for ever
 */
public record ConnectParameters(int retryCount, int rnrRetryCount) {
    /** The counts of the LNet transport: 5 and 6. */
    public static final ConnectParameters DEFAULT = new ConnectParameters(5, 6);

    /** {@link #rnrRetryCount} that never ends. */
    public static final int FOR_EVER = 7;

    /** Checks the ranges. */
    public ConnectParameters {
        if (retryCount < 0 || retryCount > 7 || rnrRetryCount < 0 || rnrRetryCount > 7) {
            throw new IllegalArgumentException(
                    "retry counts " + retryCount + " and " + rnrRetryCount + ", expected 0…7");
        }
    }
}
