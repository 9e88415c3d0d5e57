package org.railyard.verbs;

/** A provider can not do what it was asked to. The message says what was asked and what the limit is. */
public final class VerbsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why. The numbers are those of the operating system. */
    public enum Code {
        /** Not enough memory, or the device can not give that much. */
        ENOMEM(12),
        /** The device was removed or is broken. */
        ENODEV(19),
        /** Not in the legal range, or not now. */
        EINVAL(22),
        /** The device does not offer this. */
        EOPNOTSUPP(95),
        /** Somebody listens there already. */
        EADDRINUSE(98),
        /** No device has this address. */
        EADDRNOTAVAIL(99);

        private final int number;

        Code(int number) {
            this.number = number;
        }

        /** Returns the errno, positive. */
        public int number() {
            return number;
        }
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
