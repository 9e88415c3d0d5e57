package org.railyard.base.wire;

/** Bytes from the network that are not what they should be; the message says what was found and what was expected. */
public final class WireFormatException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Makes an exception with what was found and what was expected. */
    public WireFormatException(String message) {
        super(message);
    }
}
