package org.railyard.testkit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the machine under the tests has. */
final class Machine {
    private static final Path OWN_STATUS = Path.of("/proc/self/status");

    private Machine() {}

    /** Returns whether the effective user id is 0; where there is no {@code /proc}, whether the user is called root. */
    static boolean isRoot() {
        if (Files.isReadable(OWN_STATUS)) {
            try {
                return Files.readAllLines(OWN_STATUS).stream()
                        .filter(line -> line.startsWith("Uid:"))
                        .anyMatch(line -> line.split("\\s+")[2].equals("0"));
            } catch (IOException e) {
                throw new IllegalStateException(OWN_STATUS + " can not be read", e);
            }
        }
        return "root".equals(System.getProperty("user.name"));
    }

    /**
     * Returns whether a program can be started by its name.
     *
     * @param path the folders to look in, as in {@code PATH}
     */
    static boolean hasCommand(String name, String path) {
        for (String folder : path.split(File.pathSeparator, -1)) {
            if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, name))) {
                return true;
            }
        }
        return false;
    }
}
