package org.railyard.cli.lnetctl.top;

/** A node gave no figures. */
public final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean answered;

    /**
     * Makes one.
     *
     * @param message why
     * @param answered whether the service answered, and refused
     */
    public UnavailableException(String message, boolean answered) {
        super(message);
        this.answered = answered;
    }

    /** Tells whether the service answered, and refused. */
    boolean hasAnswered() {
        return answered;
    }
}
