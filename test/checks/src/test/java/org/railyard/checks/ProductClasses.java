package org.railyard.checks;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The compiled classes of the product. */
final class ProductClasses {
    /** Read once for all tests, which takes seconds. */
    private static final JavaClasses MAIN = read("target/classes");

    private ProductClasses() {}

    /** Returns the main classes of all modules but those that are there for tests. */
    static JavaClasses all() {
        return MAIN;
    }

    /** Returns the same classes together with the tests of all modules. */
    static JavaClasses withTests() {
        return read("target/classes", "target/test-classes");
    }

    /** Tells whether a class belongs to the main code of a module that is not there for tests. */
    static boolean isMain(JavaClass type) {
        return MAIN.contain(type.getName());
    }

    private static JavaClasses read(String... folders) {
        Path root = SourceTree.root();
        try {
            List<Path> classes = Modules.folders(root).stream()
                    .filter(module -> folders.length > 1 || root.equals(module.getParent()))
                    .flatMap(module -> Stream.of(folders).map(module::resolve))
                    .filter(Files::isDirectory)
                    .toList();
            return new ClassFileImporter().importPaths(classes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
