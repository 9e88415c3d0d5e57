package org.railyard.cli.fabric;

/** A file that a command cannot use; the message names it and says what to look at. */
final class FabricInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FabricInputException(String message) {
        super(message);
    }

    FabricInputException(String message, Throwable cause) {
        super(message, cause);
    }
}
