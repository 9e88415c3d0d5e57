import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Makes what is installed: the program with its own JVM as {@code tar.gz} and as Debian package. The same sources and
 * the same JDK make the same bytes.
 *
 * <p>Arguments: the root of the tree, the folder to work in (jars in {@code modules}), the version, the time that all
 * files get.
 */
final class Dist {
    private Dist() {}

    public static void main(String[] args) throws Exception {
        Path root = Path.of(args[0]);
        Path target = Path.of(args[1]);
        String version = args[2];
        Instant time = Instant.parse(args[3]);
        if (!System.getProperty("os.name").equals("Linux")) {
            throw new IOException("packages are made on Linux, found " + System.getProperty("os.name"));
        }
        Path own = root.resolve("dist/packages");
        Image image = new Image(empty(target.resolve("image")));
        List<String> described = Modules.describe(target.resolve("modules"));
        if (!described.isEmpty()) {
            System.out.println("made real modules of " + String.join(", ", described));
        }
        NewerClasses.write(target.resolve("modules"), "picocli");
        image.link(target.resolve("modules"));
        image.launchers(own.resolve("launcher.sh"), root.resolve("railyard"));
        // The JVM checks that the modules are those that a cache was made of: by size and time.
        stamp(image.folder(), time);
        Files.createDirectories(image.folder().resolve("cache"));
        Path work = Files.createTempDirectory("railyard-dist");
        try {
            new Caches(image.runtime(), List.of("-XX:+UseSerialGC", Image.nativeAccess(root.resolve("railyard"))), work)
                    .make(image.cache("railyard"), image.cache("lnetctl"));
        } finally {
            delete(work);
        }
        image.documents();
        image.add("share/doc", root.resolve("LICENSE"), root.resolve("README.md"), root.resolve("CHANGELOG.md"));
        // What the README names.
        try (Stream<Path> files = Files.walk(root.resolve("docs"))) {
            for (Path each : files.filter(Files::isRegularFile).sorted().toList()) {
                image.add("share/doc/" + root.relativize(each.getParent()), each);
            }
        }
        try (Stream<Path> files = Files.list(root.resolve("dist/service"))) {
            image.add("share/service", files.sorted().toArray(Path[]::new));
        }

        String machine = machine();
        String name = "railyard-" + version;
        Path archive = target.resolve(name + "-linux-" + machine + ".tar.gz");
        try (OutputStream out = Files.newOutputStream(archive)) {
            new Tree(time.getEpochSecond()).folder(name, image.folder()).writeTarGz("", out);
        }
        Path deb = new Debian(own.resolve("deb"), image, version, machine, time.getEpochSecond()).write(target);
        for (Path each : List.of(archive, deb)) {
            System.out.println(sha256(each) + "  " + each.getFileName() + "  " + Files.size(each) + " bytes");
        }
    }

    /** Returns the machine by Debian's name. */
    private static String machine() throws IOException {
        return switch (System.getProperty("os.arch")) {
            case "amd64" -> "amd64";
            case "aarch64" -> "arm64";
            case String other -> throw new IOException("expected the machine amd64 or aarch64, found " + other);
        };
    }

    private static Path empty(Path folder) throws IOException {
        if (Files.exists(folder)) {
            delete(folder);
        }
        return folder;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                // jlink writes some files that nobody may write, and folders hold them.
                Files.delete(each);
            }
        }
    }

    private static void stamp(Path folder, Instant time) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                Files.setLastModifiedTime(each, FileTime.from(time));
            }
        }
    }

    private static String sha256(Path file) throws Exception {
        return HexFormat.of()
                .formatHex(java.security.MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }
}
