package org.railyard.checks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes {@code docs/requirements.md}, which test shows which requirement, and {@code docs/packages.md}, what modules
 * and packages hold. Run by the build.
 */
public final class RequirementMatrix {
    private RequirementMatrix() {}

    /**
     * Writes the pages; exit code 1 and a line per test if a test names a requirement that does not exist.
     *
     * @param args the root of the source tree
     * @throws IOException if a file can not be read or written
     */
    public static void main(String[] args) throws IOException {
        Path root = Path.of(args[0]);
        List<String> complaints = write(root);
        Files.writeString(root.resolve("docs/packages.md"), PackagePage.render(root));
        complaints.forEach(System.err::println);
        if (!complaints.isEmpty()) {
            System.exit(1);
        }
    }

    /**
     * Reads the compiled tests of all modules under a root and writes {@code docs/requirements.md} there.
     *
     * @return complaints about ids and remarks; if there are any, nothing is written
     */
    static List<String> write(Path root) throws IOException {
        Catalogue catalogue = Catalogue.load();
        List<Claim> claims = new ArrayList<>();
        for (Path module : Modules.folders(root)) {
            Path tests = module.resolve("target/test-classes");
            if (Files.isDirectory(tests)) {
                claims.addAll(ClaimScanner.scan(tests));
            }
        }
        MatrixPage matrix = new MatrixPage(catalogue, MatrixRemarks.load(), claims);
        List<String> complaints = matrix.complaints();
        if (complaints.isEmpty()) {
            Path page = root.resolve("docs/requirements.md");
            Files.createDirectories(root.resolve("docs"));
            Files.writeString(page, matrix.render());
        }
        return complaints;
    }
}
