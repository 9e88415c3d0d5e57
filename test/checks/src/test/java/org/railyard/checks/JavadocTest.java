package org.railyard.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Modifier;
import org.junit.jupiter.api.Test;
import org.railyard.testkit.Requirement;

/** Every public type has Javadoc, and so has every public method of one that does not take it over from above. */
final class JavadocTest {
    @Test
    @Requirement("doc-015")
    void publicTypesAndMethodsAreDocumented() {
        List<String> undocumented = new ArrayList<>();
        for (CompilationUnitTree unit : ParsedSources.UNITS) {
            new Visitor(ParsedSources.TREES, undocumented).scan(unit, null);
        }
        assertThat(undocumented).isEmpty();
    }

    /** Visits types and methods; does not go into what is not public. */
    private static final class Visitor extends TreePathScanner<Void, Void> {
        private final DocTrees docs;
        private final List<String> undocumented;

        Visitor(DocTrees docs, List<String> undocumented) {
            this.docs = docs;
            this.undocumented = undocumented;
        }

        @Override
        public Void visitClass(ClassTree type, Void nothing) {
            if (!isPublic(type.getModifiers())) {
                return null;
            }
            need(type.getSimpleName().toString());
            return super.visitClass(type, null);
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            boolean overrides = method.getModifiers().getAnnotations().stream()
                    .anyMatch(annotation ->
                            annotation.getAnnotationType().toString().equals("Override"));
            if (isPublic(method.getModifiers()) && !overrides) {
                need(method.getName().toString());
            }
            // Types inside a method are nobody's API.
            return null;
        }

        /** In an interface everything is public without saying so. */
        private boolean isPublic(ModifiersTree modifiers) {
            TreePath above = getCurrentPath().getParentPath();
            boolean inInterface = above != null
                    && (above.getLeaf().getKind() == Tree.Kind.INTERFACE
                            || above.getLeaf().getKind() == Tree.Kind.ANNOTATION_TYPE);
            return modifiers.getFlags().contains(Modifier.PUBLIC)
                    || (inInterface && !modifiers.getFlags().contains(Modifier.PRIVATE));
        }

        private void need(String name) {
            if (docs.getDocComment(getCurrentPath()) == null) {
                CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
                long at = docs.getSourcePositions()
                        .getStartPosition(unit, getCurrentPath().getLeaf());
                undocumented.add(
                        ParsedSources.name(unit) + ":" + unit.getLineMap().getLineNumber(at) + ": " + name);
            }
        }
    }
}
