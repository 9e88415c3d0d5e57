package org.railyard.node.facts;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The network namespace that this process is in. */
final class NetworkNamespace {
    private static final Path OWN = Path.of("/proc/self/ns/net");
    private static final Path INIT = Path.of("/proc/1/ns/net");
    private static final Path NAMED = Path.of("/run/netns");
    private static final String INODE = "unix:ino";

    private NetworkNamespace() {}

    /** Returns its name as {@code ip netns} knows it, whether it is the machine's own, and its number. */
    static String describe() {
        String number;
        try {
            number = Files.readSymbolicLink(OWN).toString();
        } catch (IOException | UnsupportedOperationException e) {
            // No /proc: another system, which has none.
            return "the network of this process";
        }
        String name = name();
        if (!name.isEmpty()) {
            return "network namespace '" + name + "', " + number;
        }
        return (isOfInit(number) ? "the machine's own network namespace, " : "a network namespace without a name, ")
                + number;
    }

    private static boolean isOfInit(String number) {
        try {
            return Files.readSymbolicLink(INIT).toString().equals(number);
        } catch (IOException e) {
            // Only root may know.
            return false;
        }
    }

    private static String name() {
        if (!Files.isDirectory(NAMED)) {
            return "";
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(NAMED)) {
            Object own = Files.getAttribute(OWN, INODE);
            for (Path each : all) {
                if (own.equals(Files.getAttribute(each, INODE))) {
                    return String.valueOf(each.getFileName());
                }
            }
        } catch (IOException e) {
            // It was deleted while we looked, or may not be read.
            return "";
        }
        return "";
    }
}
