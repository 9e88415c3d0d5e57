package org.railyard.checks;

import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Finds {@code @Requirement} in compiled tests, without loading them. */
final class ClaimScanner {
    private static final String REQUIREMENT = "Lorg/railyard/testkit/Requirement;";

    /**
     * JUnit's {@code @EnabledIf…} and {@code @DisabledIf…}: the build may pass without such a test. What testkit's
     * {@code @Needs…} asks for, the build must have.
     */
    private static final String CONDITIONS = "Lorg/junit/jupiter/api/condition/";

    private ClaimScanner() {}

    /**
     * Returns the claims of all classes under a folder, in the order of file names.
     *
     * @throws IOException if a file can not be read
     */
    static List<Claim> scan(Path folder) throws IOException {
        List<Claim> claims = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".class")).sorted().toList()) {
                collect(ClassFile.of().parse(file), claims);
            }
        }
        return claims;
    }

    private static void collect(ClassModel type, List<Claim> claims) {
        String name = type.thisClass().asInternalName();
        String shortName = name.substring(name.lastIndexOf('/') + 1).replace('$', '.');
        boolean conditional = isConditional(type);
        for (String id : ids(type)) {
            claims.add(new Claim(id, shortName, conditional));
        }
        for (MethodModel method : type.methods()) {
            for (String id : ids(method)) {
                String test = shortName + "." + method.methodName().stringValue();
                claims.add(new Claim(id, test, conditional || isConditional(method)));
            }
        }
    }

    private static boolean isConditional(AttributedElement element) {
        return annotations(element)
                .anyMatch(annotation -> annotation.className().stringValue().startsWith(CONDITIONS));
    }

    private static Stream<Annotation> annotations(AttributedElement element) {
        return element.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
                .flatMap(attribute -> attribute.annotations().stream());
    }

    private static List<String> ids(AttributedElement element) {
        List<String> ids = new ArrayList<>();
        annotations(element)
                .filter(annotation -> annotation.className().equalsString(REQUIREMENT))
                .flatMap(annotation -> annotation.elements().stream())
                .forEach(value -> addStrings(value.value(), ids));
        return ids;
    }

    private static void addStrings(AnnotationValue value, List<String> ids) {
        switch (value) {
            case AnnotationValue.OfString text -> ids.add(text.stringValue());
            case AnnotationValue.OfArray array -> array.values().forEach(v -> addStrings(v, ids));
            default -> throw new IllegalStateException("@Requirement holds " + value + ", expected text");
        }
    }
}
