package org.railyard.testkit;

import org.jspecify.annotations.Nullable;

/** Whether this run must not skip anything. */
public final class Ci {
    private Ci() {}

    /** Returns true if the system property {@code CI}, or else the environment variable {@code CI}, is {@code true}. */
    public static boolean everythingMustRun() {
        @Nullable String property = System.getProperty("CI");
        return Boolean.parseBoolean(property != null ? property : System.getenv("CI"));
    }
}
