package org.railyard.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * Keeps the configuration over restarts: one file, replaced as a whole, and the one before it. Whoever kills the daemon
 * at any moment finds the old one or the new one. Its first line says how long it is and its CRC-32, so that what is
 * damaged is not taken for a configuration. Not thread-safe.
 */
public final class StateStore {
    /** Longest file that is read, bytes. */
    static final int MAX_BYTES = 64 << 20;

    private static final String NAME = "lnetd.yaml";
    private static final String PREVIOUS = NAME + ".previous";
    private static final String CONFIGURED = "configured";
    private static final String UNCONFIGURED = "not configured";

    /** Versions before wrote neither length nor checksum. */
    private static final Pattern FIRST_LINE =
            Pattern.compile("# lnetd: (configured|not configured)(?:; ([0-9]{1,9}) bytes, CRC-32 ([0-9a-f]{8}))?");

    private static final int SHOWN = 24;

    private static final System.Logger LOG = System.getLogger("org.railyard.node");

    private final Path folder;
    private final FolderSync sync;

    /** Brings the names in a folder to the disk. */
    @FunctionalInterface
    interface FolderSync {
        void sync(Path folder) throws IOException;
    }

    /**
     * Opens a store.
     *
     * @param folder where its files are; made if it is not there
     * @throws IOException if it can not be made
     */
    public StateStore(Path folder) throws IOException {
        this(folder, StateStore::sync);
    }

    StateStore(Path folder, FolderSync sync) throws IOException {
        this.sync = sync;
        try {
            this.folder = Files.createDirectories(folder.toAbsolutePath());
        } catch (IOException e) {
            throw new IOException(
                    "the state folder " + folder + " can not be made: " + reason(e)
                            + "; name another with --state DIR, or keep nothing with --no-state",
                    e);
        }
    }

    private static String reason(IOException failure) {
        return switch (failure) {
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException _ -> "it is there and is no folder";
            case FileSystemException e when e.getReason() != null -> e.getReason();
            default -> "the system does not allow it there";
        };
    }

    /**
     * What was kept.
     *
     * @param configured whether LNet was configured
     * @param document the configuration, YAML; when it is read, with the comment in front that says how it was kept
     */
    public record State(boolean configured, String document) {}

    /** Returns the file. */
    public Path file() {
        return folder.resolve(NAME);
    }

    /**
     * Returns what was kept last; nothing if nothing ever was.
     *
     * @throws DamagedStateException if the file is not what was kept
     * @throws IOException if it can not be read
     */
    public Optional<State> load() throws IOException {
        if (Files.notExists(file())) {
            return Optional.empty();
        }
        try {
            return Optional.of(read(file()));
        } catch (AccessDeniedException e) {
            throw new IOException(file() + " can not be read: permission denied", e);
        }
    }

    /** Returns the file with what was kept before the last change, if there is one and it is as it was kept. */
    public Optional<Path> previous() {
        Path previous = folder.resolve(PREVIOUS);
        return isWhole(previous) ? Optional.of(previous) : Optional.empty();
    }

    private static boolean isWhole(Path file) {
        try {
            read(file);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static State read(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new DamagedStateException(file, "has more than " + MAX_BYTES + " bytes");
        }
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length == 0) {
            throw new DamagedStateException(file, "is empty");
        }
        int end = 0;
        while (end < bytes.length && bytes[end] != '\n') {
            end++;
        }
        Matcher first = FIRST_LINE.matcher(new String(bytes, 0, end, StandardCharsets.ISO_8859_1));
        if (end == bytes.length || !first.matches()) {
            throw new DamagedStateException(
                    file, "has " + bytes.length + " bytes and begins with '" + shown(bytes) + "'");
        }
        byte[] document = Arrays.copyOfRange(bytes, end + 1, bytes.length);
        if (first.group(2) != null) {
            check(file, document, Integer.parseInt(first.group(2)), first.group(3));
        }
        boolean configured = first.group(1).equals(CONFIGURED);
        // With the first line, which is a comment, so that lines are counted as in the file.
        String text = decoded(file, bytes);
        if (configured && text.substring(end).isBlank()) {
            throw new DamagedStateException(file, "has nothing behind its first line");
        }
        return new State(configured, text);
    }

    private static void check(Path file, byte[] document, int length, String sum) throws IOException {
        if (document.length < length) {
            throw new DamagedStateException(
                    file, "is cut off: " + document.length + " of " + length + " bytes are behind its first line");
        }
        if (document.length > length || !sum(document).equals(sum)) {
            throw new DamagedStateException(
                    file,
                    "is not as lnetd wrote it, but damaged or edited: it has " + document.length + " bytes with CRC-32 "
                            + sum(document) + ", and its first line says " + length + " with " + sum);
        }
    }

    private static String decoded(Path file, byte[] bytes) throws IOException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new DamagedStateException(file, "is no text in UTF-8");
        }
    }

    private static String shown(byte[] bytes) {
        String start = new String(bytes, 0, Math.min(bytes.length, SHOWN), StandardCharsets.ISO_8859_1);
        return start.replaceAll("[^ -~]", ".");
    }

    private static String sum(byte[] document) {
        CRC32 crc = new CRC32();
        crc.update(document);
        return String.format("%08x", crc.getValue());
    }

    /**
     * Keeps a state instead of the one before; on disk when it returns, or a warning is logged. What was kept before
     * becomes {@link #previous}, unless it is damaged or the same.
     *
     * @throws IOException if it can not be written; then the one before is kept
     */
    public void save(State state) throws IOException {
        byte[] document = state.document().getBytes(StandardCharsets.UTF_8);
        String first = "# lnetd: " + (state.configured() ? CONFIGURED : UNCONFIGURED) + "; " + document.length
                + " bytes, CRC-32 " + sum(document) + "\n";
        byte[] start = first.getBytes(StandardCharsets.UTF_8);
        byte[] bytes = Arrays.copyOf(start, start.length + document.length);
        System.arraycopy(document, 0, bytes, start.length, document.length);
        if (Files.exists(file()) && Arrays.equals(Files.readAllBytes(file()), bytes)) {
            return;
        }
        Path written = folder.resolve(NAME + ".new");
        try {
            write(written, bytes);
            if (isWhole(file())) {
                keepPrevious();
            }
            Files.move(written, file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            Files.deleteIfExists(written);
            throw e;
        }
        syncFolder();
    }

    private static void write(Path file, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
    }

    /** Gives what is kept a second name, which stays with it when the first one moves on. */
    private void keepPrevious() throws IOException {
        Path link = folder.resolve(PREVIOUS + ".new");
        Files.deleteIfExists(link);
        try {
            Files.createLink(link, file());
        } catch (UnsupportedOperationException | FileSystemException e) {
            // Not on all file systems.
            Files.copy(file(), link);
        }
        Files.move(link, folder.resolve(PREVIOUS), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * The folder remembers the names; it has to be on disk as well. If that fails the new name counts all the same:
     * whoever starts again reads it, unless the power fails before.
     */
    private void syncFolder() {
        try {
            sync.sync(folder);
        } catch (IOException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "what is kept in {0} may be lost if the power fails: the folder could not be brought to the disk:"
                            + " {1}",
                    folder,
                    e.getMessage());
        }
    }

    private static void sync(Path folder) throws IOException {
        try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    /**
     * Forgets what was kept; it becomes {@link #previous}, unless it is damaged.
     *
     * @throws IOException if it can not be removed
     */
    public void forget() throws IOException {
        if (isWhole(file())) {
            keepPrevious();
        }
        Files.deleteIfExists(file());
        syncFolder();
    }
}
