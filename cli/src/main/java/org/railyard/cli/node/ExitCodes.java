package org.railyard.cli.node;

/** Exit codes that {@code lnetctl} has given scripts for years (spec 12 §1.1). */
final class ExitCodes {
    /** At least one target failed. */
    static final int TARGET_FAILED = 255;

    /** The command failed as a whole: an argument can not be read, or there is none. */
    static final int COMMAND_FAILED = 234;

    private ExitCodes() {}
}
