import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Searches with every fuzz test of a module, for some seconds each, for an input that breaks it.
 *
 * <p>Jazzer searches for one test per JVM, and Surefire gives each test class a JVM of its own only if Maven's JVM can
 * load the class, which it need not. So the build runs this file with the JDK of the tool chain, and it starts one
 * Jazzer per test, as many at once as there are processors. Arguments: the test class path, the folder of the module,
 * the name of the module for Maven, the seconds for each test. What was collected stays in {@code target/fuzz}, and the
 * next run begins with it. Exit code 1 if a test found something or can not run.
 */
final class Fuzz {
    /** Seconds for one input, then it counts as endless. */
    private static final int INPUT_SECONDS = 60;

    /** Seconds for start and end of a JVM on a busy machine. */
    private static final int SPARE_SECONDS = 180;

    /** Most lines of a finding that are shown; the rest is in the log. */
    private static final int SHOWN_LINES = 25;

    /** Most characters of such a line. */
    private static final int SHOWN_COLUMNS = 300;

    private static final String SUFFIX = "FuzzTest.class";

    private final String classPath;
    private final Path module;
    private final String name;
    private final int seconds;

    private Fuzz(String classPath, Path module, String name, int seconds) {
        this.classPath = classPath;
        this.module = module;
        this.name = name;
        this.seconds = seconds;
    }

    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        boolean sound = new Fuzz(args[0], Path.of(args[1]), args[2], Integer.parseInt(args[3])).run();
        System.exit(sound ? 0 : 1);
    }

    private boolean run() throws IOException, InterruptedException, ExecutionException {
        List<Future<String>> outcomes = new ArrayList<>();
        try (ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            for (String test : tests()) {
                outcomes.add(threads.submit(() -> search(test)));
            }
        }
        boolean sound = true;
        for (Future<String> outcome : outcomes) {
            String complaint = outcome.get();
            System.err.print(complaint);
            sound &= complaint.isEmpty();
        }
        return sound;
    }

    /** Returns the names of the fuzz tests. */
    private List<String> tests() throws IOException {
        Path classes = module.resolve("target/test-classes");
        if (!Files.isDirectory(classes)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(classes)) {
            return files.map(file -> classes.relativize(file).toString())
                    .filter(file -> file.endsWith(SUFFIX))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .sorted()
                    .toList();
        }
    }

    /** Returns what is wrong, or nothing. */
    private String search(String test) throws IOException, InterruptedException {
        String simpleName = test.substring(test.lastIndexOf('.') + 1);
        Path inputs = module.resolve("src/test/resources").resolve(test.replace('.', '/') + "Inputs");
        List<Path> targets = list(inputs);
        if (targets.size() != 1) {
            return simpleName + ": expected one test, with stored inputs in one folder below " + inputs + ", found "
                    + targets.size() + "\n";
        }
        Path folder = module.resolve("target/fuzz").resolve(simpleName);
        Path corpus = folder.resolve("corpus");
        Path log = folder.resolve("log.txt");
        Files.createDirectories(corpus);
        Path findings = Files.createDirectories(folder.resolve("findings"));
        for (Path old : list(findings)) {
            Files.delete(old);
        }
        Process jazzer = new ProcessBuilder(command(test, findings, corpus))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!jazzer.waitFor(seconds + INPUT_SECONDS + SPARE_SECONDS, TimeUnit.SECONDS)) {
                return simpleName + ": did not come to its end, see " + log + "\n";
            }
        } finally {
            jazzer.destroyForcibly();
        }
        List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1)
                .lines()
                .toList();
        if (jazzer.exitValue() == 0 && !lines.isEmpty() && lines.getLast().startsWith("Done ")) {
            System.out.println(simpleName + ": " + lines.getLast());
            return "";
        }
        return complaint(simpleName, targets.getFirst(), findings, log, lines);
    }

    private List<String> command(String test, Path findings, Path corpus) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Most of so short a life is the start; and decoders must do with little memory.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-XX:+EnableDynamicAgentLoading",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                classPath,
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + test,
                "--instrumentation_includes=org.railyard.**",
                "-max_total_time=" + seconds,
                "-timeout=" + INPUT_SECONDS,
                "-artifact_prefix=" + findings + "/",
                corpus.toString());
    }

    private String complaint(String simpleName, Path target, Path findings, Path log, List<String> lines)
            throws IOException {
        int from = 0;
        while (from < lines.size() && !lines.get(from).startsWith("== ")) {
            from++;
        }
        if (from == lines.size()) {
            from = Math.max(0, lines.size() - SHOWN_LINES);
        }
        StringBuilder text = new StringBuilder(simpleName + ": fuzzing failed, all of it is in " + log + "\n");
        lines.stream()
                .skip(from)
                .limit(SHOWN_LINES)
                .takeWhile(line -> !line.startsWith("== libFuzzer"))
                .map(line -> line.substring(0, Math.min(line.length(), SHOWN_COLUMNS)))
                .forEach(line -> text.append("    ").append(line).append('\n'));
        for (Path finding : list(findings)) {
            text.append("""
                To keep the input and reproduce this:
                    cp %s %s/
                    mvn -pl %s -am test -Dtest=%s -Dsurefire.failIfNoSpecifiedTests=false
                """.formatted(finding, target, name, simpleName));
        }
        return text.toString();
    }

    private static List<Path> list(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }
}
