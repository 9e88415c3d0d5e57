import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Makes the AOT caches of an image: loaded and linked classes, which make the difference between half a second and a
 * tenth at start.
 *
 * <p>A cache that the JVM records by itself differs from run to run, because it holds profiles. These hold none: a list
 * of classes, written by an interpreted run, is dumped. What then still differs is the time of the last collection, in
 * each soft reference, and the checksums over it. So each cache is dumped twice and the words that differ are zero.
 */
final class Caches {
    /** The header, in which words of four bytes differ; behind it, words of eight. */
    private static final int HEADER = 4096;

    /** More words than have ever differed; beyond it the cache depends on more than the time. */
    private static final int MOST_DIFFERENCES = 1000;

    private static final int SOCKET_SECONDS = 60;

    /** Of the options of the run, a cache depends on these. Its heap is as large on each machine. */
    private static final List<String> DUMP =
            List.of("-Xshare:dump", "-XX:+AOTClassLinking", "-Xmx1g", "-Xlog:disable", "-Xlog:all=error:stderr");

    /** What is asked of a daemon that opens no port. */
    private static final List<String> TOOL = List.of(
            "ignore_errors",
            "net show -v",
            "net show --net tcp9",
            "global show",
            "peer show -v",
            "route show",
            "routing show",
            "stats show",
            "ping 0@lo",
            "export --backup");

    /** Classes first, then what is to be made of them: the order in which threads load differs from run to run. */
    private static final Comparator<String> ORDER =
            Comparator.comparing((String line) -> line.startsWith("@")).thenComparing(Comparator.naturalOrder());

    private final Path java;
    private final List<String> options;
    private final Path work;

    /**
     * Makes one.
     *
     * @param runtime the image
     * @param options of the JVM that programs are started with
     * @param work an empty folder
     */
    Caches(Path runtime, List<String> options, Path work) {
        this.java = runtime.resolve("bin/java");
        this.options = options;
        this.work = work;
    }

    /** Makes both caches. */
    void make(Path railyard, Path lnetctl) throws IOException, InterruptedException {
        Path socket = work.resolve("sock");
        Path conf = Files.writeString(work.resolve("conf"), "net:\n    - net type: lo\n");
        Process daemon = start(
                Image.MAIN,
                List.of(),
                List.of("lnetd", "--config", conf.toString(), "--socket", socket.toString(), "--no-state"));
        try {
            for (int i = 0; i < SOCKET_SECONDS * 10 && daemon.isAlive() && !Files.exists(socket); i++) {
                daemon.waitFor(100, TimeUnit.MILLISECONDS);
            }
            if (!Files.exists(socket)) {
                throw new IOException("lnetd did not open " + socket + " within " + SOCKET_SECONDS
                        + " s; its output is in " + work.resolve("lnetd.log"));
            }
            SortedSet<String> tool = new TreeSet<>(ORDER);
            tool.addAll(classes("", "lnetctl", "net", "show"));
            tool.addAll(classes(String.join("\n", TOOL), "lnetctl"));
            dump(lnetctl, tool);
        } finally {
            daemon.destroy();
            daemon.waitFor();
        }
        SortedSet<String> all = new TreeSet<>(ORDER);
        for (String line : List.of("--version", "ping --help", "fabric --help", "lst --help")) {
            all.addAll(classes("", line.split(" ")));
        }
        all.addAll(classesOf(Image.TRAINING, "", work.resolve("training").toString(), "3x3x1"));
        dump(railyard, all);
    }

    private Process start(String program, List<String> more, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(List.of(java.toString()));
        command.addAll(options);
        command.addAll(more);
        command.addAll(List.of("-m", program));
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log(words.getFirst()).toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("RAILYARD_") || name.startsWith("JDK_JAVA_"));
        builder.environment()
                .putAll(Map.of("RAILYARD_SOCKET", work.resolve("sock").toString(), "LC_ALL", "C.UTF-8"));
        return builder.start();
    }

    /** Returns where a run whose first word this is writes. */
    private Path log(String word) {
        return work.resolve(Path.of(word).getFileName() + ".log");
    }

    private List<String> classes(String input, String... words) throws IOException, InterruptedException {
        return classesOf(Image.MAIN, input, words);
    }

    /** Returns what a run loads, in the language of such lists. It may fail: a complaint has classes, too. */
    private List<String> classesOf(String program, String input, String... words)
            throws IOException, InterruptedException {
        Path list = work.resolve("classes");
        Process run =
                start(program, List.of("-Xint", "-Xshare:off", "-XX:DumpLoadedClassList=" + list), List.of(words));
        try (Writer in = run.outputWriter(StandardCharsets.UTF_8)) {
            in.write(input);
        }
        run.waitFor();
        try (Stream<String> lines = Files.lines(list)) {
            // Numbers of classes count within one list only, and are not needed for these loaders.
            return lines.filter(line -> !line.startsWith("#"))
                    .map(line -> line.replaceFirst(" id: \\d+$", ""))
                    .toList();
        }
    }

    private void dump(Path cache, SortedSet<String> classes) throws IOException, InterruptedException {
        Path list = Files.write(work.resolve("classes"), classes);
        byte[] first = dumped(list, cache);
        byte[] second = dumped(list, cache);
        Files.write(cache, common(cache, first, second));
    }

    private byte[] dumped(Path list, Path cache) throws IOException, InterruptedException {
        List<String> more = new ArrayList<>(DUMP);
        more.add("-XX:SharedClassListFile=" + list);
        more.add("-XX:SharedArchiveFile=" + cache);
        int exit = start(Image.MAIN, more, List.of("dump")).waitFor();
        if (exit != 0 || !Files.exists(cache)) {
            throw new IOException(
                    "java -Xshare:dump ended with " + exit + ": " + Files.readString(work.resolve("dump.log")));
        }
        byte[] bytes = Files.readAllBytes(cache);
        Files.delete(cache);
        return bytes;
    }

    private static byte[] common(Path cache, byte[] first, byte[] second) throws IOException {
        if (first.length != second.length) {
            throw new IOException(cache.getFileName() + " is of " + first.length + " bytes, made again of "
                    + second.length + "; expected the same twice");
        }
        ByteBuffer one = ByteBuffer.wrap(first).order(ByteOrder.nativeOrder());
        ByteBuffer other = ByteBuffer.wrap(second).order(ByteOrder.nativeOrder());
        int differences = 0;
        for (int i = 0; i < HEADER; i += Integer.BYTES) {
            if (one.getInt(i) != other.getInt(i)) {
                one.putInt(i, 0);
                differences++;
            }
        }
        for (int i = HEADER; i + Long.BYTES <= first.length; i += Long.BYTES) {
            if (one.getLong(i) != other.getLong(i)) {
                one.putLong(i, 0);
                differences++;
            }
        }
        if (differences > MOST_DIFFERENCES) {
            throw new IOException(
                    cache.getFileName() + ", made twice, differs in " + differences + " words, expected at most "
                            + MOST_DIFFERENCES + "; is something in the list of classes loaded by chance?");
        }
        return first;
    }
}
