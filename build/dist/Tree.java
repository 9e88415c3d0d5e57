import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/** What is packed into an archive: files by path, all root's, all of the same time, in the order of their names. */
final class Tree {
    private static final int PROGRAM = 0755;
    private static final int FILE = 0644;

    private final Map<String, Content> entries = new TreeMap<>();
    private final long seconds;

    /** What is behind a path. */
    private sealed interface Content {}

    private record Folder() implements Content {}

    private record Link(String target) implements Content {}

    private record Data(byte[] bytes, boolean isProgram) implements Content {}

    private record OfFile(Path path) implements Content {}

    /**
     * Makes an empty one.
     *
     * @param seconds of all entries, since 1970
     */
    Tree(long seconds) {
        this.seconds = seconds;
    }

    /** Adds a folder, those above it, and what is in it. */
    Tree folder(String name, Path from) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            all.forEach(each -> {
                String below = from.relativize(each).toString();
                String path = below.isEmpty() ? name : name + "/" + below;
                if (Files.isSymbolicLink(each)) {
                    link(path, target(each));
                } else if (Files.isDirectory(each)) {
                    folder(path);
                } else {
                    put(path, new OfFile(each));
                }
            });
        }
        return this;
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds an empty folder. */
    Tree folder(String name) {
        put(name, new Folder());
        return this;
    }

    /** Adds a symbolic link. */
    Tree link(String name, String target) {
        put(name, new Link(target));
        return this;
    }

    /** Adds a file. */
    Tree file(String name, byte[] bytes) {
        put(name, new Data(bytes, false));
        return this;
    }

    /** Adds a file. */
    Tree file(String name, String text) {
        return file(name, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds a file that can be executed. */
    Tree program(String name, String text) {
        put(name, new Data(text.getBytes(StandardCharsets.UTF_8), true));
        return this;
    }

    private void put(String name, Content content) {
        int end = name.lastIndexOf('/');
        if (end > 0 && !entries.containsKey(name.substring(0, end))) {
            put(name.substring(0, end), new Folder());
        }
        entries.put(name, content);
    }

    /** Returns the bytes of each file by its path. */
    Map<String, byte[]> files() throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        for (Map.Entry<String, Content> each : entries.entrySet()) {
            if (each.getValue() instanceof Data || each.getValue() instanceof OfFile) {
                files.put(each.getKey(), bytes(each.getValue()));
            }
        }
        return files;
    }

    private static byte[] bytes(Content content) throws IOException {
        return switch (content) {
            case Data data -> data.bytes();
            case OfFile file -> Files.readAllBytes(file.path());
            case Folder _, Link _ -> new byte[0];
        };
    }

    private static boolean isProgram(Content content) {
        return switch (content) {
            case Data data -> data.isProgram();
            case OfFile file -> Files.isExecutable(file.path());
            case Folder _, Link _ -> true;
        };
    }

    /** Returns it packed, as {@code tar} and {@code gzip} do. */
    byte[] tarGz(String prefix) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writeTarGz(prefix, bytes);
        return bytes.toByteArray();
    }

    /** Writes it packed, as {@code tar} and {@code gzip} do. */
    void writeTarGz(String prefix, OutputStream to) throws IOException {
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(
                new BufferedOutputStream(new GZIPOutputStream(to, 1 << 16)), StandardCharsets.UTF_8.name())) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_GNU);
            for (Map.Entry<String, Content> each : entries.entrySet()) {
                write(tar, prefix + each.getKey(), each.getValue());
            }
        }
    }

    private void write(TarArchiveOutputStream tar, String name, Content content) throws IOException {
        TarArchiveEntry entry = switch (content) {
            case Folder _ -> new TarArchiveEntry(name + "/");
            case Link link -> {
                TarArchiveEntry made = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
                made.setLinkName(link.target());
                yield made;
            }
            case Data _, OfFile _ -> new TarArchiveEntry(name);
        };
        byte[] bytes = bytes(content);
        entry.setSize(bytes.length);
        entry.setMode(content instanceof Link ? 0777 : isProgram(content) ? PROGRAM : FILE);
        entry.setModTime(seconds * 1000);
        entry.setIds(0, 0);
        entry.setNames("root", "root");
        tar.putArchiveEntry(entry);
        tar.write(bytes);
        tar.closeArchiveEntry();
    }
}
