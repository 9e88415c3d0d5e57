package org.railyard.checks;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The compiled classes of the product, without tests. */
final class ProductClasses {
    /** Read once for all tests, which takes seconds. */
    private static final JavaClasses ALL = read();

    private ProductClasses() {}

    /** Returns the main classes of all modules but those that are there for tests. */
    static JavaClasses all() {
        return ALL;
    }

    private static JavaClasses read() {
        Path root = SourceTree.root();
        try {
            List<Path> classes = Modules.folders(root).stream()
                    .filter(module -> root.equals(module.getParent()))
                    .map(module -> module.resolve("target/classes"))
                    .filter(Files::isDirectory)
                    .toList();
            return new ClassFileImporter().importPaths(classes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
