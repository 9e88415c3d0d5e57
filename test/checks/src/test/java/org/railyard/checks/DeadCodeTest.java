package org.railyard.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Nothing is declared that nobody uses: each method, constructor and field of the main code is used somewhere, in main
 * code or in tests. A method that only calls itself is not used.
 */
final class DeadCodeTest {
    /**
     * What is described as a whole, whatever of it is looked at here: cards, and attributes of management agents. What
     * JMH generates is not ours.
     */
    private static boolean isDescription(JavaClass type) {
        return type.getPackageName().equals("org.railyard.verbs")
                || type.getPackageName().matches("org\\.railyard\\.mad\\.(wire|smp|sa|perf|sim)")
                || type.getPackageName().endsWith(".jmh_generated");
    }

    private static boolean isUsed(JavaMember member) {
        return member.getAccessesToSelf().stream()
                .anyMatch(access -> !access.getOrigin().equals(member));
    }

    /** What is only written is of no use. */
    private static boolean isRead(JavaField field) {
        return field.getAccessesToSelf().stream()
                .anyMatch(access -> access.getAccessType() == JavaFieldAccess.AccessType.GET);
    }

    /** Methods that others reach by another name: that of the type they override, or of a framework. */
    private static boolean isReachedOtherwise(JavaMethod method) {
        if (!method.getAnnotations().isEmpty() || method.getModifiers().contains(JavaModifier.SYNTHETIC)) {
            return true;
        }
        JavaClass owner = method.getOwner();
        if (owner.isEnum() && Set.of("values", "valueOf").contains(method.getName())) {
            return true;
        }
        if (owner.isRecord() && method.getRawParameterTypes().isEmpty()) {
            return true;
        }
        if (method.getName().equals("main")) {
            return true;
        }
        String[] parameters =
                method.getRawParameterTypes().stream().map(JavaClass::getName).toArray(String[]::new);
        return Stream.concat(owner.getAllRawSuperclasses().stream(), owner.getAllRawInterfaces().stream())
                .anyMatch(above -> above.getMethods().stream()
                        .anyMatch(other -> other.getName().equals(method.getName())
                                && other.getRawParameterTypes().size() == parameters.length));
    }

    /** Constructors that keep a class from being made, and those that records, enums and frameworks have called. */
    private static boolean isReachedOtherwise(JavaConstructor constructor) {
        JavaClass owner = constructor.getOwner();
        return owner.isRecord()
                || owner.isEnum()
                || constructor.getModifiers().contains(JavaModifier.PRIVATE)
                || constructor.getRawParameterTypes().isEmpty();
    }

    /** Constants are built into their users by the compiler; fields with annotations are filled by frameworks. */
    private static boolean isReachedOtherwise(JavaField field) {
        Set<JavaModifier> modifiers = field.getModifiers();
        return modifiers.contains(JavaModifier.SYNTHETIC)
                || field.getOwner().isEnum()
                || field.getOwner().isRecord()
                || !field.getAnnotations().isEmpty()
                || (modifiers.contains(JavaModifier.STATIC)
                        && modifiers.contains(JavaModifier.FINAL)
                        && (field.getRawType().isPrimitive()
                                || field.getRawType().isEquivalentTo(String.class)));
    }

    @Test
    void nothingIsDeclaredThatNobodyUses() {
        JavaClasses all = ProductClasses.withTests();
        Set<String> unused = new TreeSet<>();
        for (JavaClass type : all) {
            if (!ProductClasses.isMain(type) || isDescription(type)) {
                continue;
            }
            type.getMethods().stream()
                    .filter(method -> !isReachedOtherwise(method) && !isUsed(method))
                    .forEach(method -> unused.add(method.getFullName()));
            type.getConstructors().stream()
                    .filter(constructor -> !isReachedOtherwise(constructor) && !isUsed(constructor))
                    .forEach(constructor -> unused.add(constructor.getFullName()));
            type.getFields().stream()
                    .filter(field -> !isReachedOtherwise(field) && !isRead(field))
                    .forEach(field -> unused.add(field.getFullName()));
        }
        assertThat(unused).isEmpty();
    }
}
