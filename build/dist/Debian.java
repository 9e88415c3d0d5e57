import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveOutputStream;

/**
 * The Debian package: the image in {@code /usr/lib/railyard}, its programs in {@code /usr/bin}, the service, pages for
 * man, completions; scripts that make user and group.
 */
final class Debian {
    private static final String HOME = "/usr/lib/railyard";
    private static final int KIBI = 1024;
    private static final int FILE = 0100644;

    /** What an administrator may change, and an update leaves alone. */
    private static final List<String> CONFIGURATION =
            List.of("/etc/default/lnetd", "/etc/default/railyard-sm", "/etc/railyard/lnet.conf");

    private static final Pattern MAINTAINER = Pattern.compile("(?m)^Maintainer: (.+)$");

    /** Where a gzip file says how it was packed, and what it says of the smallest. */
    private static final int EXTRA_FLAGS = 8;

    private static final byte SMALLEST = 2;

    private final Path sources;
    private final Image image;
    private final String version;
    private final String machine;
    private final long seconds;

    /**
     * Makes one.
     *
     * @param sources the folder with control file, scripts and configuration
     * @param version of the program; what is behind {@code -SNAPSHOT} comes before the version itself
     * @param machine by Debian's name
     * @param seconds of all files, since 1970
     */
    Debian(Path sources, Image image, String version, String machine, long seconds) {
        this.sources = sources;
        this.image = image;
        this.version = version.replace("-SNAPSHOT", "~SNAPSHOT");
        this.machine = machine;
        this.seconds = seconds;
    }

    /** Writes the package into a folder; returns its file. */
    Path write(Path folder) throws IOException {
        Tree data = data();
        Map<String, byte[]> files = data.files();
        Path file = folder.resolve("railyard_" + version + "_" + machine + ".deb");
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        data.writeTarGz(".", packed);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file));
                ArArchiveOutputStream ar = new ArArchiveOutputStream(out)) {
            put(ar, "debian-binary", "2.0\n".getBytes(StandardCharsets.US_ASCII));
            put(ar, "control.tar.gz", control(files).tarGz("./"));
            put(ar, "data.tar.gz", packed.toByteArray());
        }
        return file;
    }

    private void put(ArArchiveOutputStream ar, String name, byte[] bytes) throws IOException {
        ar.putArchiveEntry(new ArArchiveEntry(name, bytes.length, 0, 0, FILE, seconds));
        ar.write(bytes);
        ar.closeArchiveEntry();
    }

    private Tree data() throws IOException {
        Tree tree = new Tree(seconds);
        for (String part : List.of("bin", "cache", "runtime")) {
            tree.folder(HOME + "/" + part, image.folder().resolve(part));
        }
        Image.PROGRAMS.forEach(name -> tree.link("/usr/bin/" + name, "../lib/railyard/bin/" + name));
        try (var pages = Files.list(image.folder().resolve("share/man/man8"))) {
            for (Path each : pages.sorted().toList()) {
                tree.file("/usr/share/man/man8/" + each.getFileName() + ".gz", gzip(Files.readAllBytes(each)));
            }
        }
        tree.folder("/usr/share/bash-completion", image.folder().resolve("share/bash-completion"));
        tree.folder("/usr/share/doc/railyard/docs", image.folder().resolve("share/doc/docs"));
        tree.folder("/usr/share/doc/railyard/service", image.folder().resolve("share/service"));
        for (String each : List.of("README.md", "CHANGELOG.md")) {
            tree.file(
                    "/usr/share/doc/railyard/" + each,
                    Files.readAllBytes(image.folder().resolve("share/doc/" + each)));
        }
        tree.file("/usr/share/doc/railyard/copyright", source("copyright"));
        tree.file("/usr/share/doc/railyard/changelog.gz", gzip(changelog().getBytes(StandardCharsets.UTF_8)));
        tree.file("/usr/lib/systemd/system/lnetd.service", source("lnetd.service"));
        tree.file("/usr/lib/systemd/system/railyard-sm.service", source("railyard-sm.service"));
        tree.file("/etc/default/lnetd", source("lnetd.default"));
        tree.file("/etc/default/railyard-sm", source("railyard-sm.default"));
        return tree.file("/etc/railyard/lnet.conf", source("lnet.conf"));
    }

    private Tree control(Map<String, byte[]> files) throws IOException {
        long size = 0;
        StringBuilder sums = new StringBuilder();
        for (Map.Entry<String, byte[]> each : files.entrySet()) {
            size += (each.getValue().length + KIBI - 1) / KIBI;
            if (!CONFIGURATION.contains(each.getKey())) {
                sums.append(md5(each.getValue()))
                        .append("  ")
                        .append(each.getKey().substring(1))
                        .append('\n');
            }
        }
        String control = source("control")
                .replace("@VERSION@", version)
                .replace("@ARCHITECTURE@", machine)
                .replace("@SIZE@", Long.toString(size));
        return new Tree(seconds)
                .file("control", control)
                .file("conffiles", String.join("\n", CONFIGURATION) + "\n")
                .file("md5sums", sums.toString())
                .program("postinst", source("postinst"))
                .program("prerm", source("prerm"))
                .program("postrm", source("postrm"));
    }

    private String source(String name) throws IOException {
        return Files.readString(sources.resolve(name));
    }

    /** Packs as {@code gzip -9} does, which Debian's policy asks for. */
    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed) {
            {
                def.setLevel(Deflater.BEST_COMPRESSION);
            }
        }) {
            out.write(bytes);
        }
        byte[] file = packed.toByteArray();
        file[EXTRA_FLAGS] = SMALLEST;
        return file;
    }

    /** Returns the changelog in Debian's form, which has versions; what they changed is in that of the program. */
    private String changelog() throws IOException {
        Matcher maintainer = MAINTAINER.matcher(source("control"));
        if (!maintainer.find()) {
            throw new IOException(sources.resolve("control") + " has no line Maintainer:");
        }
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                Instant.ofEpochSecond(seconds).atOffset(ZoneOffset.UTC));
        return """
            railyard (%s) unstable; urgency=medium

              * CHANGELOG.md tells what has changed.

             -- %s  %s
            """.formatted(version, maintainer.group(1), date.replace("GMT", "+0000"));
    }

    private static String md5(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has MD5", e);
        }
    }
}
