package org.railyard.checks;

import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
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
        for (String id : ids(type)) {
            claims.add(new Claim(id, shortName));
        }
        for (MethodModel method : type.methods()) {
            for (String id : ids(method)) {
                claims.add(new Claim(id, shortName + "." + method.methodName().stringValue()));
            }
        }
    }

    private static List<String> ids(AttributedElement element) {
        List<String> ids = new ArrayList<>();
        element.findAttribute(Attributes.runtimeVisibleAnnotations()).ifPresent(attribute -> {
            for (Annotation annotation : attribute.annotations()) {
                if (annotation.className().equalsString(REQUIREMENT)) {
                    for (AnnotationElement value : annotation.elements()) {
                        addStrings(value.value(), ids);
                    }
                }
            }
        });
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
