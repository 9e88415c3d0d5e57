package org.railyard.bench.compare;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Turns the paths this JVM was started with into a class path for a child: JMH generates code that knows no modules.
 * A child runs by the same {@code java}.
 */
public final class ChildClassPath {
    private ChildClassPath() {}

    /** Returns the program that runs this JVM. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Returns the class path for a child of this JVM. */
    public static String ofThis() throws IOException {
        return of(System.getProperty("jdk.module.path", ""), System.getProperty("java.class.path", ""));
    }

    /**
     * Returns the class path.
     *
     * @param modulePath its directories of jars are replaced by the jars, sorted; jars and unpacked modules stay; may
     * be empty
     * @param classPath appended as it is; may be empty
     */
    public static String of(String modulePath, String classPath) throws IOException {
        Set<String> entries = new LinkedHashSet<>();
        for (String entry : modulePath.split(File.pathSeparator, -1)) {
            if (!entry.isEmpty()) {
                addModulePathEntry(entries, Path.of(entry));
            }
        }
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            if (!entry.isEmpty()) {
                entries.add(entry);
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    private static void addModulePathEntry(Set<String> entries, Path entry) throws IOException {
        if (!Files.isDirectory(entry) || Files.exists(entry.resolve("module-info.class"))) {
            entries.add(entry.toString());
            return;
        }
        try (Stream<Path> files = Files.list(entry)) {
            files.filter(file -> file.toString().endsWith(".jar") || Files.exists(file.resolve("module-info.class")))
                    .map(Path::toString)
                    .sorted()
                    .forEach(entries::add);
        }
    }
}
