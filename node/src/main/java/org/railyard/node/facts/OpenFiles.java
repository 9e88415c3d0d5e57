package org.railyard.node.facts;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Optional;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.doctor.HostFacts.Descriptors;
import org.railyard.socklnd.tune.SockTunable;

/** The file descriptors of this process: every connection takes one. */
public final class OpenFiles {
    /** What a node needs beside its connections: jars, selectors, listeners, control and metrics. */
    private static final int BESIDES = 256;

    /** With fewer, a node fails anywhere: classes and jars need files, too. */
    private static final int LEAST = 128;

    private OpenFiles() {}

    /**
     * Returns limit and use, with the need of a configuration with so many connections; the JVM has raised the limit as
     * far as it may.
     */
    public static Descriptors look(int maxConnections) {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? new Descriptors(
                        unix.getMaxFileDescriptorCount(),
                        unix.getOpenFileDescriptorCount(),
                        (long) maxConnections + BESIDES)
                : Descriptors.UNKNOWN;
    }

    /** Returns the same for the default number of connections. */
    public static Descriptors look() {
        return look(SockTunable.MAX_CONNECTIONS.spec().defaultValue());
    }

    /**
     * Makes sure that a node can start.
     *
     * @throws ErrnoException EMFILE if the limit leaves nothing for connections
     */
    public static void requireLeast(Descriptors now) {
        if (now.limit() > 0 && now.limit() < LEAST) {
            throw new ErrnoException(
                    Errno.EMFILE,
                    String.format(
                            Locale.ROOT,
                            "the limit of open files is %d; a node needs at least %d, and %d for all its connections:"
                                    + " raise it (ulimit -n %d, or LimitNOFILE=%d of the service)",
                            now.limit(),
                            LEAST,
                            now.needed(),
                            now.needed(),
                            now.needed()));
        }
    }

    /** Returns a line for the log if the limit is lower than what may be needed. */
    public static Optional<String> warning(Descriptors now) {
        if (now.limit() <= 0 || now.limit() >= now.needed()) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "the limit of open files is %d, and %d may be needed (max_connections %d, and %d besides): connections"
                    + " beyond it will be refused; raise it (ulimit -n %d, or LimitNOFILE=%d of the service), or set"
                    + " --param max_connections=N",
                now.limit(),
                now.needed(),
                now.needed() - BESIDES,
                BESIDES,
                now.needed(),
                now.needed()));
    }
}
