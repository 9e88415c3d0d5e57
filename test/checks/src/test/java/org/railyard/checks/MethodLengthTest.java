package org.railyard.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** A method that does not fit on a screen does more than one thing. */
final class MethodLengthTest {
    private static final int MAX_LINES = 60;

    @Test
    void noMethodIsLongerThanAScreen() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> tooLong = new ArrayList<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, Locale.ROOT, null)) {
            Path root = SourceTree.root();
            List<Path> sources =
                    SourceTree.mainJava().stream().map(root::resolve).toList();
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(sources));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                new Methods(unit, positions, tooLong).scan(unit, null);
            }
        }
        assertThat(tooLong).isEmpty();
    }

    private static final class Methods extends TreeScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<String> tooLong;

        Methods(CompilationUnitTree unit, SourcePositions positions, List<String> tooLong) {
            this.unit = unit;
            this.positions = positions;
            this.tooLong = tooLong;
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            LineMap map = unit.getLineMap();
            long first = map.getLineNumber(positions.getStartPosition(unit, method));
            long end = positions.getEndPosition(unit, method);
            long lines = end < 0 ? 0 : map.getLineNumber(end) - first + 1;
            if (lines > MAX_LINES) {
                tooLong.add(unit.getSourceFile().getName() + ":" + first + ": " + method.getName() + " has " + lines
                        + " lines");
            }
            return super.visitMethod(method, null);
        }
    }
}
