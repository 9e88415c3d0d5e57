package org.railyard.cli.service;

/** There is no service to talk to. */
public final class NoServiceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Makes one with what was tried and what to do. */
    public NoServiceException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Returns what was tried and what to do. */
    public String text() {
        return String.valueOf(getMessage());
    }
}
