package org.railyard.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackagePageTest {
    @TempDir
    private Path root;

    private void file(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void modulesAndPackagesWithTheirSentences() throws IOException {
        file("b/pom.xml", "<project/>");
        file("test/a/pom.xml", "<project/>");
        file("gone/src/main/java/gone/package-info.java", "/** Left of an earlier build. */\npackage gone;\n");
        file("b/src/main/java/module-info.java", "/** What b is. */\nmodule b {}\n");
        file("b/src/main/java/b/z/package-info.java", """
            /**
             * Reads {@code pcap} files with {@link b.z.Reader}, one
             * packet at a time.
             *
             * <p>Why it is written here.
             */
            package b.z;
            """);
        file("b/src/main/java/b/package-info.java", "/** First. */\npackage b;\n");
        file("test/a/src/test/java/a/package-info.java", "/** Tests. */\npackage a;\n");
        assertThat(PackagePage.render(root)).endsWith("""

            ## b

            What b is.

            | Package | Holds |
            |---|---|
            | `b` | First. |
            | `b.z` | Reads `pcap` files with `Reader`, one packet at a time. |
            """).doesNotContain("Tests", "gone");
    }

    @Test
    void thePageOfThisTreeNamesEachPackage() throws IOException {
        assertThat(PackagePage.render(SourceTree.root()))
                .contains("| `org.railyard.lnet.select` | Which way a message goes", "## base", "## control");
    }
}
