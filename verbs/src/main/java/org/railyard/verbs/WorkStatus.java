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

    private static final WorkStatus[] ALL = values();

    private final int code;

    WorkStatus(int code) {
        this.code = code;
    }

    /** Returns the number that verbs give it; that of a general error for {@link #OTHER}. */
    public int code() {
        return code;
    }

    /** Returns the status with a number of verbs; {@link #OTHER} if none has it (spec 24 §9.3). */
    public static WorkStatus ofCode(int code) {
        for (WorkStatus status : ALL) {
            if (status.code == code) {
                return status;
            }
        }
        return OTHER;
    }
}
