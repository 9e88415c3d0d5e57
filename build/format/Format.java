import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Checks or rewrites the format of all Java sources: palantir-java-format, 120 columns.
 *
 * <p>Maven may run on a JDK that can not parse our sources, and a formatter inside Maven's own JVM would need one that
 * can. So the build runs this file with the JDK of the tool chain instead. Arguments: {@code check} or {@code write},
 * then the root of the tree. Exit code 1 if a file differs or can not be parsed.
 */
final class Format {
    private static final Formatter FORMATTER = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .build());

    private Format() {}

    public static void main(String[] args) throws IOException {
        boolean write = switch (args[0]) {
            case "write" -> true;
            case "check" -> false;
            default -> throw new IllegalArgumentException("check or write expected, found " + args[0]);
        };
        Path root = Path.of(args[1]);
        LongAdder rewritten = new LongAdder();
        List<String> complaints = sources(root).parallelStream()
                .map(file -> format(root, file, write, rewritten))
                .filter(complaint -> !complaint.isEmpty())
                .toList();
        complaints.forEach(System.err::println);
        if (write) {
            System.out.println("formatted: " + rewritten + " files rewritten");
        } else if (!complaints.isEmpty()) {
            System.err.println(complaints.size() + " files to format: run 'mvn -q -N validate -Pformat'");
        }
        System.exit(complaints.isEmpty() ? 0 : 1);
    }

    /** Returns what is wrong with a file, or nothing. */
    private static String format(Path root, Path file, boolean write, LongAdder rewritten) {
        try {
            String found = Files.readString(file);
            String expected = FORMATTER.formatSourceAndFixImports(found);
            if (found.equals(expected)) {
                return "";
            }
            if (!write) {
                return root.relativize(file) + ":" + firstDifference(found, expected) + ": not formatted";
            }
            Files.writeString(file, expected);
            rewritten.increment();
            return "";
        } catch (FormatterException e) {
            return root.relativize(file) + ": " + e.getMessage();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the Java files under the source folders of all modules, and this one, in the order of their names. */
    private static List<Path> sources(Path root) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path above : List.of(root, root.resolve("test"))) {
            try (Stream<Path> modules = Files.list(above)) {
                for (Path module : modules.sorted().toList()) {
                    Path folder = module.resolve("src");
                    if (Files.isDirectory(folder)) {
                        collect(folder, files);
                    }
                }
            }
        }
        collect(root.resolve("build"), files);
        return files;
    }

    private static void collect(Path folder, List<Path> files) throws IOException {
        try (Stream<Path> below = Files.walk(folder)) {
            below.filter(file -> file.toString().endsWith(".java")).sorted().forEach(files::add);
        }
    }

    private static int firstDifference(String found, String expected) {
        List<String> a = found.lines().toList();
        List<String> b = expected.lines().toList();
        int line = 0;
        while (line < a.size() && line < b.size() && a.get(line).equals(b.get(line))) {
            line++;
        }
        return line + 1;
    }
}
