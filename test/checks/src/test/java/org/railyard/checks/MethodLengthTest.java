package org.railyard.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A method that does not fit on a screen does more than one thing. */
final class MethodLengthTest {
    private static final int MAX_LINES = 60;

    @Test
    void noMethodIsLongerThanAScreen() {
        List<String> tooLong = new ArrayList<>();
        SourcePositions positions = ParsedSources.TREES.getSourcePositions();
        for (CompilationUnitTree unit : ParsedSources.UNITS) {
            new Methods(unit, positions, tooLong).scan(unit, null);
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
                tooLong.add(
                        ParsedSources.name(unit) + ":" + first + ": " + method.getName() + " has " + lines + " lines");
            }
            return super.visitMethod(method, null);
        }
    }
}
