package org.railyard.cli;

import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/**
 * Sets up {@code java.util.logging}, which is behind {@code System.Logger}: quiet, one line per event, to standard
 * error.
 */
final class Logging {
    /** Kept, because the log manager forgets loggers that nobody holds, and their levels with them. */
    private static final Logger OURS = Logger.getLogger("org.railyard");

    /** Netty misses a hardware address, as in many containers, for numbers of channels that are never looked at. */
    private static final Logger NO_HARDWARE = Logger.getLogger("io.netty.util.internal.MacAddressUtil");

    private Logging() {}

    /**
     * Sets up logging, unless the JVM was given a configuration of its own.
     *
     * @param verbosity 0 logs warnings and errors, 1 also what happens, 2 or more also details
     */
    static void setUp(int verbosity) {
        if (System.getProperty("java.util.logging.config.file") != null
                || System.getProperty("java.util.logging.config.class") != null) {
            return;
        }
        LogManager.getLogManager().reset();
        Handler handler = new ConsoleHandler();
        handler.setLevel(Level.ALL);
        handler.setFormatter(new LogLine());
        Logger everybody = Logger.getLogger("");
        everybody.setLevel(Level.WARNING);
        everybody.addHandler(handler);
        NO_HARDWARE.setLevel(Level.SEVERE);
        OURS.setLevel(verbosity == 0 ? Level.WARNING : verbosity == 1 ? Level.INFO : Level.FINE);
    }
}
