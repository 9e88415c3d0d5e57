package org.railyard.base;

/** A failure of the stack: carries the errno and says which entity it is about. */
public final class ErrnoException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Errno errno;

    /**
     * Makes an exception.
     *
     * @param errno the error
     * @param message which entity, what was found, what was expected, what to do
     */
    public ErrnoException(Errno errno, String message) {
        super(errno.name() + ": " + message);
        this.errno = errno;
    }

    /** Makes an exception with a cause. */
    public ErrnoException(Errno errno, String message, Throwable cause) {
        super(errno.name() + ": " + message, cause);
        this.errno = errno;
    }

    /** Returns the error. */
    public Errno errno() {
        return errno;
    }
}
