package org.railyard.checks;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The compiled classes of the product, without tests. */
final class Houses {
    private Houses() {}

    /** Modules that are there for tests. */
    private static final Set<String> FOR_TESTS = Set.of("checks", "testkit", "conformance");

    /** Returns the main classes of all modules but those that are there for tests. */
    static JavaClasses all() {
        try (Stream<Path> modules = Files.list(SourceTree.root())) {
            List<Path> classes = modules.filter(module -> Files.exists(module.resolve("pom.xml"))
                            && !FOR_TESTS.contains(module.getFileName().toString()))
                    .map(module -> module.resolve("target/classes"))
                    .filter(Files::isDirectory)
                    .sorted()
                    .toList();
            return new ClassFileImporter().importPaths(classes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
