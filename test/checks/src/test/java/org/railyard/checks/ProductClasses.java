package org.railyard.checks;

import static com.tngtech.archunit.base.DescribedPredicate.describe;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The compiled classes of the product. They are read once for all tests, which takes seconds. */
final class ProductClasses {
    private static final JavaClasses WITH_TESTS = read();

    private static final JavaClasses MAIN =
            WITH_TESTS.that(describe("main code of modules that are not there for tests", ProductClasses::isMain));

    private ProductClasses() {}

    /** Returns the main classes of all modules but those that are there for tests. */
    static JavaClasses all() {
        return MAIN;
    }

    /** Returns the same classes together with the tests of all modules. */
    static JavaClasses withTests() {
        return WITH_TESTS;
    }

    /** Tells whether a class belongs to the main code of a module that is not there for tests. */
    static boolean isMain(JavaClass type) {
        return type.getSource()
                .map(source -> Path.of(source.getUri()))
                .filter(file -> !file.startsWith(SourceTree.root().resolve("test")))
                .filter(file -> file.toString().contains("/target/classes/"))
                .isPresent();
    }

    private static JavaClasses read() {
        try {
            List<Path> classes = Modules.folders(SourceTree.root()).stream()
                    .flatMap(module ->
                            Stream.of("target/classes", "target/test-classes").map(module::resolve))
                    .filter(Files::isDirectory)
                    .toList();
            return new ClassFileImporter().importPaths(classes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
