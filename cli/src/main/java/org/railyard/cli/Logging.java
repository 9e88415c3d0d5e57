package org.railyard.cli;

import java.util.Map;
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

    /**
     * Netty makes names of channels, which are never looked at, of a hardware address and the number of the process. To
     * find these takes it long, and in many containers it would warn that there is no such address.
     */
    private static final Map<String, String> NAMES_OF_CHANNELS =
            Map.of("io.netty.machineId", "02:00:00:00:00:01", "io.netty.processId", "1");

    /** Netty misses interfaces in a network namespace that has none up; control sockets need none. */
    private static final Logger NO_INTERFACES = Logger.getLogger("io.netty.util.NetUtilInitializations");

    private Logging() {}

    /**
     * Sets up logging, unless the JVM was given a configuration of its own, and keeps libraries from needless warnings.
     *
     * @param verbosity 0 logs warnings and errors, 1 also what happens, 2 or more also details
     */
    static void setUp(int verbosity) {
        NAMES_OF_CHANNELS.forEach((property, value) -> {
            if (System.getProperty(property) == null) {
                System.setProperty(property, value);
            }
        });
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
        NO_INTERFACES.setLevel(Level.SEVERE);
        OURS.setLevel(verbosity == 0 ? Level.WARNING : verbosity == 1 ? Level.INFO : Level.FINE);
    }
}
