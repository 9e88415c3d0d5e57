package org.railyard.verbs;

/** How a work request ended. All but {@link #SUCCESS} leave the queue pair in error, the rest flushed (spec 23 §1). */
public enum WorkStatus {
    /** Done. */
    SUCCESS(0),
    /** The message is longer than the memory for it. */
    LOCAL_LENGTH(1),
    /** A local key or address is wrong. */
    LOCAL_PROTECTION(4),
    /** Not done, because the queue pair is in error. */
    FLUSHED(5),
    /** The peer turned a remote key or address away. */
    REMOTE_ACCESS(10),
    /** The peer failed in carrying it out. */
    REMOTE_OPERATION(11),
    /** The peer did not answer. */
    RETRY_EXCEEDED(12),
    /** The peer had no receive for it. */
    RNR_RETRY_EXCEEDED(13),
    /** Something else that a real card tells; the provider logs the number that the card gave. */
    OTHER(21);

    private final int code;

    WorkStatus(int code) {
        this.code = code;
    }

    /** Returns the number that verbs give it; that of a general error for {@link #OTHER}. */
    public int code() {
        return code;
    }

    /**
     * Returns the status for a number of verbs. Real cards have more of them than this contract: those that mean nearly
     * the same are taken together, and {@link #OTHER} stands for the rest (spec 24 §9.3).
     */
    public static WorkStatus ofCode(int code) {
        return switch (code) {
            case 0 -> SUCCESS;
            case 1 -> LOCAL_LENGTH;
            // Local QP operation, protection, window binding, local access.
            case 2, 4, 6, 8 -> LOCAL_PROTECTION;
            case 5 -> FLUSHED;
            case 10 -> REMOTE_ACCESS;
            // Bad response, remote invalid request, remote operation, remote abort.
            case 7, 9, 11, 16 -> REMOTE_OPERATION;
            case 12 -> RETRY_EXCEEDED;
            case 13 -> RNR_RETRY_EXCEEDED;
            default -> OTHER;
        };
    }
}
