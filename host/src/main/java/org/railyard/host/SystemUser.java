package org.railyard.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The user that this program runs as. */
public final class SystemUser {
    private static final String ROOT = "root";
    private static final Path STATUS = Path.of("/proc/self/status");

    private SystemUser() {}

    /** Returns the name; {@code root} for user 0 even if the system knows no name for it, as in small containers. */
    public static String name() {
        String name = System.getProperty("user.name", "");
        try {
            return isRoot(Files.readAllLines(STATUS)) ? ROOT : name;
        } catch (IOException e) {
            // Not Linux.
            return name;
        }
    }

    /** Tells whether the second of the user ids, the effective one, is 0. */
    static boolean isRoot(List<String> status) {
        return status.stream().anyMatch(line -> line.matches("Uid:\\s+\\d+\\s+0\\s.*"));
    }
}
