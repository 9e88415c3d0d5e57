package org.railyard.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** What {@code railyard --version} prints: name and version, then the build and the machine it runs on. */
final class BuildInfo implements IVersionProvider {
    /** Written by the build. */
    private static final String RESOURCE = "build.properties";

    /** What the build writes when nobody told it the commit. */
    private static final String UNKNOWN = "unknown";

    @Override
    public String[] getVersion() {
        Properties build = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("resource " + RESOURCE + " is missing from the build");
            }
            build.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("resource " + RESOURCE + " can not be read", e);
        }
        String commit = build.getProperty("commit", UNKNOWN);
        return new String[] {
            "railyard " + build.getProperty("version"),
            (commit.equals(UNKNOWN) ? "" : "commit " + commit + ", ") + "Java " + Runtime.version() + " on "
                    + System.getProperty("os.name") + " " + System.getProperty("os.arch")
        };
    }
}
