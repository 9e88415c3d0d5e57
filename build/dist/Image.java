import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/**
 * The program as a folder that needs no JDK: {@code runtime} (the JVM with all modules), {@code bin} (launchers),
 * {@code cache} (AOT caches), {@code share} (manual pages, completions, the service).
 */
record Image(Path folder) {
    /** What the JVM runs. */
    static final String MAIN = "org.railyard.cli/org.railyard.cli.Main";

    /** What the JVM runs to see which classes commands load. */
    static final String TRAINING = "org.railyard.cli/org.railyard.cli.CacheTraining";

    private static final String ROOT = "org.railyard.cli";

    /** Of the JDK, what no module of ours names: the tool that asks a JVM how it is, and starts and ends recordings. */
    private static final String TOOLS = "jdk.jcmd";

    /** The names under which the launcher is installed. */
    static final List<String> PROGRAMS = List.of("railyard", "lnetd", "lnetctl", "lst");

    /** Commands of {@code railyard} with manual pages of their own. */
    private static final List<String> COMMANDS = List.of(
            "campaign", "console", "decode", "discover", "explain", "fabric", "lab", "mad", "o2ib", "ping", "sm");

    private static final Pattern NATIVE = Pattern.compile("^native=(--enable-native-access=\\S+)$", Pattern.MULTILINE);

    /** Links the modules of a folder. */
    void link(Path modules) throws IOException {
        ToolProvider jlink = ToolProvider.findFirst("jlink")
                .orElseThrow(() -> new IOException("this JDK has no jlink: " + System.getProperty("java.home")));
        int exit = jlink.run(
                System.out,
                System.err,
                "--module-path",
                modules.toString(),
                "--add-modules",
                ROOT + "," + TOOLS,
                "--no-header-files",
                "--no-man-pages",
                "--output",
                runtime().toString());
        if (exit != 0) {
            throw new IOException("jlink ended with " + exit);
        }
    }

    Path runtime() {
        return folder.resolve("runtime");
    }

    Path cache(String name) {
        return folder.resolve("cache").resolve(name + ".aot");
    }

    /** Writes the launchers, which know what the launcher of the tree knows. */
    void launchers(Path template, Path launcherOfTheTree) throws IOException {
        String text = Files.readString(template).replace("@NATIVE@", nativeAccess(launcherOfTheTree));
        Files.createDirectories(folder.resolve("bin"));
        for (String name : PROGRAMS) {
            Path file = Files.writeString(folder.resolve("bin").resolve(name), text);
            if (!file.toFile().setExecutable(true, false)) {
                throw new IOException(file + " can not be made executable");
            }
        }
    }

    static String nativeAccess(Path launcherOfTheTree) throws IOException {
        Matcher found = NATIVE.matcher(Files.readString(launcherOfTheTree));
        if (!found.find()) {
            throw new IOException(launcherOfTheTree + ": found no line 'native=--enable-native-access=...'");
        }
        return found.group(1);
    }

    /** Lets the programs write their manual pages and completions. */
    void documents() throws IOException, InterruptedException {
        for (String command : COMMANDS) {
            document(List.of("man/man8/railyard-" + command + ".8", "railyard", command, "--man-page"));
        }
        for (List<String> each : List.of(
                List.of("man/man8/railyard.8", "railyard", "--man-page"),
                List.of("man/man8/lnetd.8", "lnetd", "--man-page"),
                List.of("man/man8/lnetctl.8", "lnetctl", "--man-page"),
                List.of("man/man8/lst.8", "lst", "--man-page"),
                List.of("bash-completion/completions/railyard", "railyard", "completion", "bash"),
                List.of("bash-completion/completions/lnetctl", "lnetctl", "completion", "bash"),
                List.of("bash-completion/completions/lst", "lst", "completion", "bash"))) {
            document(each);
        }
    }

    /** Lets a program write a file: its place in the image, then the line. */
    private void document(List<String> each) throws IOException, InterruptedException {
        Path file = folder.resolve("share").resolve(each.getFirst());
        Files.createDirectories(file.getParent());
        List<String> command = new ArrayList<>(each.subList(1, each.size()));
        command.set(0, folder.resolve("bin").resolve(command.getFirst()).toString());
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(file.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("LC_ALL", "C.UTF-8");
        int exit = builder.start().waitFor();
        if (exit != 0 || Files.size(file) == 0) {
            throw new IOException(String.join(" ", command) + " ended with " + exit + " and wrote " + Files.size(file)
                    + " bytes; expected 0 and a page");
        }
    }

    /** Copies files into a folder of the image. */
    void add(String where, Path... files) throws IOException {
        Path target = Files.createDirectories(folder.resolve(where));
        for (Path each : Arrays.asList(files)) {
            Files.copy(each, target.resolve(each.getFileName()));
        }
    }
}
