import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * Writes classes of format 49 and before again in a newer one, with the stack maps that belong to it. A JVM keeps only
 * such classes ready in a cache: others it has to read and verify at each start, as the ones that each command line is
 * read with, which takes longer than the rest of the start.
 *
 * <p>What methods do stays as it is. The jar says in {@code META-INF/CHANGES} that it was changed.
 */
final class NewerClasses {
    private static final int FORMAT = ClassFile.JAVA_17_VERSION;

    /** The first format that caches hold. */
    private static final int FIRST_KEPT = ClassFile.JAVA_6_VERSION;

    private static final String NOTE = """
        Classes of this jar that were in format 49 or before were written again in format %d, with stack maps.
        What their methods do was not changed.
        """.formatted(FORMAT);

    private NewerClasses() {}

    /**
     * Changes jars of a folder.
     *
     * @param args the folder, then artifacts; of each there is one jar
     */
    public static void main(String[] args) throws IOException {
        for (String artifact : List.of(args).subList(1, args.length)) {
            write(Path.of(args[0]), artifact);
        }
    }

    /** Changes the jar of an artifact in its place. */
    static void write(Path folder, String artifact) throws IOException {
        Path jar = find(folder, artifact);
        Path changed = jar.resolveSibling(jar.getFileName() + ".new");
        try (JarFile in = new JarFile(jar.toFile());
                OutputStream file = Files.newOutputStream(changed);
                JarOutputStream out = new JarOutputStream(file)) {
            ClassFile format =
                    ClassFile.of(StackMapsOption.GENERATE_STACK_MAPS, ClassHierarchyResolverOption.of(classesOf(in)));
            JarEntry last = null;
            for (JarEntry entry : Collections.list(in.entries())) {
                byte[] bytes = read(in, entry);
                add(out, entry, entry.getName().endsWith(".class") ? newer(format, bytes) : bytes);
                last = entry;
            }
            if (last != null) {
                JarEntry note = new JarEntry("META-INF/CHANGES");
                note.setTimeLocal(last.getTimeLocal());
                add(out, note, NOTE.getBytes(StandardCharsets.UTF_8));
            }
        }
        Files.move(changed, jar, StandardCopyOption.REPLACE_EXISTING);
    }

    private static Path find(Path folder, String artifact) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> found = files.filter(
                            file -> file.getFileName().toString().matches(artifact + "-[0-9].*\\.jar"))
                    .toList();
            if (found.size() != 1) {
                throw new IOException(folder + ": expected one jar of " + artifact + ", found " + found);
            }
            return found.getFirst();
        }
    }

    private static void add(JarOutputStream out, JarEntry as, byte[] bytes) throws IOException {
        JarEntry entry = new JarEntry(as.getName());
        entry.setTimeLocal(as.getTimeLocal());
        out.putNextEntry(entry);
        out.write(bytes);
        out.closeEntry();
    }

    private static byte[] newer(ClassFile format, byte[] bytes) throws IOException {
        ClassModel model = format.parse(bytes);
        if (model.majorVersion() >= FIRST_KEPT) {
            return bytes;
        }
        // Code that nobody looks at is copied with the maps that it does not have.
        CodeTransform each = CodeTransform.ofStateful(() -> NewerClasses::same);
        byte[] changed = format.transformClass(
                model,
                ClassTransform.transformingMethodBodies(each)
                        .andThen(ClassTransform.endHandler(builder -> builder.withVersion(FORMAT, 0))));
        List<VerifyError> errors = format.verify(changed);
        if (!errors.isEmpty()) {
            throw new IOException(model.thisClass().asInternalName() + " in format " + FORMAT
                    + ": expected a class, found " + errors.getFirst().getMessage());
        }
        return changed;
    }

    private static void same(CodeBuilder builder, CodeElement element) {
        builder.with(element);
    }

    /** Which class is of which: those of the jar, then those of the JDK. */
    private static ClassHierarchyResolver classesOf(JarFile jar) {
        return ClassHierarchyResolver.ofResourceParsing(name -> open(jar, name))
                .orElse(ClassHierarchyResolver.defaultResolver())
                .cached();
    }

    private static InputStream open(JarFile jar, ClassDesc name) {
        String path = name.descriptorString();
        JarEntry entry = jar.getJarEntry(path.substring(1, path.length() - 1) + ".class");
        try {
            return entry == null ? null : jar.getInputStream(entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] read(JarFile jar, JarEntry entry) throws IOException {
        try (InputStream in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }
}
