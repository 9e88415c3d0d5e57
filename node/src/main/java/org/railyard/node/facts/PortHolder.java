package org.railyard.node.facts;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Finds the process that listens at a TCP port. Those of other users are seen only by root. */
final class PortHolder {
    private static final Path PROC = Path.of("/proc");
    private static final String LISTENS = "0A";
    private static final int LOCAL = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;

    private PortHolder() {}

    /** Returns it, for example {@code process 4711 (nginx)}; empty if it is not found. */
    static String of(int port) {
        List<String> sockets = new ArrayList<>();
        List.of("net/tcp", "net/tcp6")
                .forEach(table -> lines(PROC.resolve(table)).forEach(line -> addSocket(line, port, sockets)));
        return sockets.isEmpty() ? "" : holder(sockets);
    }

    private static List<String> lines(Path table) {
        try {
            return Files.readAllLines(table);
        } catch (IOException e) {
            // Without IPv6 there is no such table.
            return List.of();
        }
    }

    /** Adds the name of the socket in a line of the table, if it listens at the port. */
    static void addSocket(String line, int port, List<String> sockets) {
        String[] words = line.strip().split("\\s+");
        String suffix = String.format(Locale.ROOT, ":%04X", port);
        if (words.length > INODE && words[LOCAL].endsWith(suffix) && words[STATE].equals(LISTENS)) {
            sockets.add("socket:[" + words[INODE] + "]");
        }
    }

    private static String holder(List<String> sockets) {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                if (hasOpen(process, sockets)) {
                    String name = Files.readString(process.resolve("comm")).strip();
                    return "process " + process.getFileName() + " (" + name + ")";
                }
            }
        } catch (IOException e) {
            // It ended while we looked.
            return "";
        }
        return "";
    }

    private static boolean hasOpen(Path process, List<String> sockets) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path file : files) {
                if (sockets.contains(Files.readSymbolicLink(file).toString())) {
                    return true;
                }
            }
        } catch (IOException e) {
            // Another user's, or gone.
            return false;
        }
        return false;
    }
}
