package org.railyard.checks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The folders of the modules: below the root of the source tree, and below {@code test}. */
final class Modules {
    private Modules() {}

    /**
     * Returns the folders that hold a {@code pom.xml}, in the order of the modules' names. What an earlier build left
     * of a module that is gone is none.
     *
     * @throws IOException if a folder can not be listed
     */
    static List<Path> folders(Path root) throws IOException {
        Path testFolder = root.resolve("test");
        try (Stream<Path> above = Files.list(root);
                Stream<Path> tests = Files.isDirectory(testFolder) ? Files.list(testFolder) : Stream.empty()) {
            return Stream.concat(above, tests)
                    .filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .sorted((a, b) -> a.getFileName().compareTo(b.getFileName()))
                    .toList();
        }
    }
}
