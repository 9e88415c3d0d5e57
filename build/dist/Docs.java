import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * Makes the Javadoc of a module and packs it, with the JDK that the build selects: maven-javadoc-plugin reads module
 * descriptors with Maven's own JDK, which may be too old for them.
 *
 * <p>Arguments: the folder of the module, the jar to write, the time that all files get, the class path of the module.
 */
final class Docs {
    private Docs() {}

    public static void main(String[] args) throws IOException {
        Path sources = Path.of(args[0], "src", "main", "java");
        Path jar = Path.of(args[1]);
        String time = args[2];
        Path pages = jar.resolveSibling("apidocs");
        List<String> javadoc = new ArrayList<>(List.of(
                "-quiet",
                "--no-fonts",
                "-notimestamp",
                "-Xdoclint:none",
                "--ignore-source-errors",
                "-encoding",
                "UTF-8",
                "-docencoding",
                "UTF-8",
                "-d",
                pages.toString(),
                "--module-path",
                modulePath(args[3])));
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString)
                    .filter(name -> name.endsWith(".java"))
                    .sorted()
                    .forEach(javadoc::add);
        }
        run("javadoc", javadoc);
        run(
                "jar",
                List.of("--create", "--file=" + jar, "--date=" + time, "--no-manifest", "-C", pages.toString(), "."));
    }

    /** Returns the jars of a class path; folders of it are what is documented. */
    private static String modulePath(String classPath) {
        return String.join(
                File.pathSeparator,
                Stream.of(classPath.split(File.pathSeparator))
                        .filter(each -> each.endsWith(".jar"))
                        .toList());
    }

    private static void run(String tool, List<String> args) throws IOException {
        int exit = ToolProvider.findFirst(tool)
                .orElseThrow(() -> new IOException("this JDK has no " + tool + ": " + System.getProperty("java.home")))
                .run(System.out, System.err, args.toArray(String[]::new));
        if (exit != 0) {
            throw new IOException(tool + " ended with " + exit);
        }
    }
}
