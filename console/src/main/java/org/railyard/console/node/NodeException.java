package org.railyard.console.node;

import org.jspecify.annotations.Nullable;

/** A node gave no answer, or refused. */
final class NodeException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean answered;

    /**
     * Makes one.
     *
     * @param answered whether somebody is there, who refused
     */
    NodeException(String message, boolean answered, @Nullable Throwable cause) {
        super(message, cause);
        this.answered = answered;
    }

    /** Tells whether somebody is there. */
    boolean hasAnswered() {
        return answered;
    }

    /** Returns what happened, for people. */
    String text() {
        return String.valueOf(getMessage());
    }
}
