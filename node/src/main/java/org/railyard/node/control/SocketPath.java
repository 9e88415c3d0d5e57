package org.railyard.node.control;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Predicate;
import org.railyard.host.SystemUser;

/** Where a program of this machine has its control socket: where it listens, and where it is asked. */
public enum SocketPath {
    /** The socket of lnetd. */
    LNETD("RAILYARD_SOCKET", "lnetd.sock", "/run/railyard"),

    /** The socket of a subnet manager, in a folder of its own: that of lnetd goes when lnetd does. */
    SM("RAILYARD_SM_SOCKET", "sm.sock", "/run/railyard-sm");

    private final String variable;
    private final String name;

    /** Where root and services have it. */
    private final Path ofSystem;

    SocketPath(String variable, String name, String folder) {
        this.variable = variable;
        this.name = name;
        ofSystem = Path.of(folder, name);
    }

    /** Returns the environment variable that names it. */
    public String variable() {
        return variable;
    }

    /**
     * Returns where to listen: what the environment variable says, else in the run-time folder of the system for root,
     * of the user for others.
     */
    public Path toListen(Map<String, String> environment, String user) {
        String named = environment.getOrDefault(variable, "");
        if (!named.isEmpty()) {
            return Path.of(named);
        }
        if (user.equals("root")) {
            return ofSystem;
        }
        String folder = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        return folder.isEmpty() ? Path.of("/tmp", "railyard-" + user, name) : Path.of(folder, "railyard", name);
    }

    /** Returns where to listen for this process. */
    public Path toListen() {
        return toListen(System.getenv(), SystemUser.name());
    }

    /**
     * Returns where to ask: what the environment variable says, else where the same user would listen if a socket is
     * there, else that of a service of the system.
     */
    public Path toAsk(Map<String, String> environment, String user) {
        return toAsk(environment, user, Files::exists);
    }

    /** Returns where to ask for this process. */
    public Path toAsk() {
        return toAsk(System.getenv(), SystemUser.name());
    }

    Path toAsk(Map<String, String> environment, String user, Predicate<Path> isThere) {
        Path own = toListen(environment, user);
        boolean isNamed = !environment.getOrDefault(variable, "").isEmpty();
        return !isNamed && !isThere.test(own) && isThere.test(ofSystem) ? ofSystem : own;
    }
}
