package org.railyard.checks;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The main code as javac parses it, which takes seconds: once for all tests. */
final class ParsedSources {
    /** The files. */
    static final List<CompilationUnitTree> UNITS = new ArrayList<>();

    /** Comments and positions of the files. */
    static final DocTrees TREES = parse();

    private ParsedSources() {}

    private static DocTrees parse() {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, Locale.ROOT, null)) {
            List<Path> sources = SourceTree.mainJava().stream()
                    .map(SourceTree.root()::resolve)
                    .toList();
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(sources));
            task.parse().forEach(UNITS::add);
            return DocTrees.instance(task);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the path of a file, relative to the root of the tree. */
    static String name(CompilationUnitTree unit) {
        return SourceTree.name(
                SourceTree.root().relativize(Path.of(unit.getSourceFile().toUri())));
    }
}
