package org.railyard.cli.lnetctl;

/** Exit codes that scripts have known for years (spec 12 §1.1). */
final class Exit {
    static final int OK = 0;

    /** Usage was asked for. */
    static final int HELP = 1;

    /**
     * A configuration or query of nets, routes or peers failed, whatever its errno; or the command line is not whole.
     */
    static final int FAILED = 234;

    /** A target failed, or there is no such command. */
    static final int BAD = 255;

    /** A file can not be read, or there is no service. */
    static final int NOT_THERE = 254;

    private static final int MASK = 0xff;

    private Exit() {}

    /** Returns the code that an errno has as it is. */
    static int of(int errno) {
        return errno & MASK;
    }
}
