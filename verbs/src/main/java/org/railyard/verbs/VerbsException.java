package org.railyard.verbs;

/** A provider can not do what it was asked to. The message says what was asked and what the limit is. */
public final class VerbsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why, by the names of the operating system. */
    public enum Code {
        /** Not enough memory, or the device can not give that much. */
        ENOMEM,
        /** The system lets this process have no more of it; asking for less does not help. */
        EAGAIN,
        /** The device was removed or is broken. */
        ENODEV,
        /** Not in the legal range, or not now. */
        EINVAL,
        /** The device does not offer this. */
        EOPNOTSUPP,
        /** Somebody listens there already. */
        EADDRINUSE,
        /** No device has this address. */
        EADDRNOTAVAIL,
        /** The system does not let this user do it. */
        EACCES,
        /** This takes a capability that the process does not have. */
        EPERM,
        /** Something else; the message has the number of the system. */
        EIO,
        /** It took too long. */
        ETIMEDOUT
    }

    private final Code code;

    /** Makes an exception. */
    public VerbsException(Code code, String message) {
        super(code + ": " + message);
        this.code = code;
    }

    /** Returns why. */
    public Code code() {
        return code;
    }
}
