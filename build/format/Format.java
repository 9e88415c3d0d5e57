import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Checks or rewrites the format of all Java sources: palantir-java-format, 120 columns.
 *
 * <p>Maven may run on a JDK that can not parse our sources, and a formatter inside Maven's own JVM would need one that
 * can. So the build runs this file with the JDK of the tool chain instead. Arguments: {@code check} or {@code write},
 * then the root of the tree. Exit code 1 if a file differs or can not be parsed.
 *
 * <p>Formatting all files takes a minute of processor time, so {@code target/format} at the root keeps the digests of
 * texts that were found to be formatted, by this version of the formatter: only others are looked at.
 */
final class Format {
    private static final Formatter FORMATTER = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .build());

    private final Path root;
    private final boolean write;
    private final Set<String> known;
    private final Set<String> formatted = ConcurrentHashMap.newKeySet();
    private final LongAdder rewritten = new LongAdder();

    private Format(Path root, boolean write, Set<String> known) {
        this.root = root;
        this.write = write;
        this.known = known;
    }

    public static void main(String[] args) throws IOException {
        boolean write = switch (args[0]) {
            case "write" -> true;
            case "check" -> false;
            default -> throw new IllegalArgumentException("check or write expected, found " + args[0]);
        };
        Path root = Path.of(args[1]);
        Path kept = kept(root);
        Format run = new Format(root, write, Files.exists(kept) ? Set.copyOf(Files.readAllLines(kept)) : Set.of());
        List<String> complaints = sources(root).parallelStream()
                .map(run::format)
                .filter(complaint -> !complaint.isEmpty())
                .toList();
        Files.createDirectories(kept.getParent());
        Files.write(kept, new TreeSet<>(run.formatted));
        complaints.forEach(System.err::println);
        if (write) {
            System.out.println("formatted: " + run.rewritten + " files rewritten");
        } else if (!complaints.isEmpty()) {
            System.err.println(complaints.size() + " files to format: run 'mvn -q -N validate -Pformat'");
        }
        System.exit(complaints.isEmpty() ? 0 : 1);
    }

    /** Returns the file of digests that belongs to the formatter in use, whose jar has its version in its name. */
    private static Path kept(Path root) {
        String jar = Formatter.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        return root.resolve("target", "format", Path.of(jar).getFileName() + ".digests");
    }

    private static String digest(String text) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has SHA-256", e);
        }
    }

    /** Returns what is wrong with a file, or nothing. */
    private String format(Path file) {
        try {
            String found = Files.readString(file);
            String digest = digest(found);
            if (known.contains(digest)) {
                formatted.add(digest);
                return "";
            }
            String expected = FORMATTER.formatSourceAndFixImports(found);
            if (found.equals(expected)) {
                formatted.add(digest);
                return "";
            }
            if (!write) {
                return root.relativize(file) + ":" + firstDifference(found, expected) + ": not formatted";
            }
            Files.writeString(file, expected);
            formatted.add(digest(expected));
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
