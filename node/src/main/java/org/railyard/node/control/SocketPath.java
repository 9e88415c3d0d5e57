package org.railyard.node.control;

import java.nio.file.Path;
import java.util.Map;

/** Where the control socket is. */
public final class SocketPath {
    /** Environment variable that names it. */
    public static final String VARIABLE = "RAILYARD_SOCKET";

    private static final String NAME = "lnetd.sock";

    private SocketPath() {}

    /**
     * Returns the path: what {@link #VARIABLE} says, else in the run-time folder of the system for root, of the user
     * for others.
     */
    public static Path of(Map<String, String> environment, String user) {
        String named = environment.getOrDefault(VARIABLE, "");
        if (!named.isEmpty()) {
            return Path.of(named);
        }
        if (user.equals("root")) {
            return Path.of("/run/railyard", NAME);
        }
        String folder = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        return folder.isEmpty() ? Path.of("/tmp", "railyard-" + user, NAME) : Path.of(folder, "railyard", NAME);
    }

    /** Returns the path for this process. */
    public static Path ofThisProcess() {
        return of(System.getenv(), System.getProperty("user.name", ""));
    }
}
