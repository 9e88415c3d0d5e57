package org.railyard.verbs;

/** Reasons of rejects, by the numbers of the connection manager. */
public final class CmRejectReason {
    /** The machine has as many connections as it may have. */
    public static final int NO_RESOURCES = 3;

    /** The sender waits no longer for an answer. */
    public static final int TIMEOUT = 4;

    /** There is no such connection. */
    public static final int INVALID_ID = 6;

    /** Nobody listens on the port. */
    public static final int INVALID_SERVICE_ID = 8;

    /** The sender still knows the queue pair from an old connection. */
    public static final int STALE_CONNECTION = 10;

    /** The packets that were asked for are larger than the interface there takes. */
    public static final int INVALID_MTU = 26;

    /** The software on the other side said no; its private data says why. */
    public static final int CONSUMER_DEFINED = 28;

    private CmRejectReason() {}

    /**
     * Returns a reason with its number, for people: {@code 8 (nobody listens there)}. One without a text here is its
     * number alone.
     */
    public static String text(int reason) {
        String meaning = switch (reason) {
            case 1 -> "no queue pair is left there";
            case NO_RESOURCES -> "no resources there";
            case TIMEOUT -> "timeout";
            case 5 -> "unsupported request";
            case INVALID_ID -> "invalid communication id";
            case INVALID_SERVICE_ID -> "nobody listens there";
            case 9 -> "invalid transport service type";
            case STALE_CONNECTION -> "stale connection";
            case 12 -> "the GID is rejected";
            case 13 -> "the LID is rejected";
            case 14 -> "invalid SL";
            case 17 -> "invalid packet rate";
            case INVALID_MTU -> "path MTU too large for the peer; give both interfaces the same MTU";
            case CONSUMER_DEFINED -> "by the program there";
            case 29 -> "RNR retry count";
            default -> "";
        };
        return meaning.isEmpty() ? String.valueOf(reason) : reason + " (" + meaning + ")";
    }
}
