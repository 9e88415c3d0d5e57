package org.railyard.node.control;

import java.nio.file.Path;
import java.util.Map;
import org.railyard.host.SystemUser;

/** Where the control socket is. */
public final class SocketPath {
    /** Environment variable that names it. */
    public static final String VARIABLE = "RAILYARD_SOCKET";

    /** Environment variable that names that of the subnet manager. */
    public static final String SM_VARIABLE = "RAILYARD_SM_SOCKET";

    private static final String NAME = "lnetd.sock";
    private static final String SM_NAME = "sm.sock";

    private SocketPath() {}

    /**
     * Returns the path: what {@link #VARIABLE} says, else in the run-time folder of the system for root, of the user
     * for others.
     */
    public static Path of(Map<String, String> environment, String user) {
        return of(environment, user, VARIABLE, NAME);
    }

    /** Returns the path of the subnet manager's, found in the same way by {@link #SM_VARIABLE}. */
    public static Path ofSm(Map<String, String> environment, String user) {
        return of(environment, user, SM_VARIABLE, SM_NAME);
    }

    private static Path of(Map<String, String> environment, String user, String variable, String name) {
        String named = environment.getOrDefault(variable, "");
        if (!named.isEmpty()) {
            return Path.of(named);
        }
        if (user.equals("root")) {
            return Path.of("/run/railyard", name);
        }
        String folder = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        return folder.isEmpty() ? Path.of("/tmp", "railyard-" + user, name) : Path.of(folder, "railyard", name);
    }

    /** Returns the path for this process. */
    public static Path ofThisProcess() {
        return of(System.getenv(), SystemUser.name());
    }
}
