package org.railyard.decode.capture;

/** A file that is no capture; the message says what was found and what was expected. */
public final class NotACaptureException extends Exception {
    private static final long serialVersionUID = 1L;

    NotACaptureException(String message) {
        super(message);
    }
}
