package org.railyard.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Keeps the configuration over restarts: one file, replaced as a whole. Whoever kills the daemon at any moment finds the old one or the new one. Not
 * thread-safe.
 */
public final class StateStore {
    private static final String NAME = "lnetd.yaml";
    private static final String CONFIGURED = "# lnetd: configured\n";
    private static final String UNCONFIGURED = "# lnetd: not configured\n";

    private final Path folder;

    /**
     * Opens a store.
     *
     * @param folder where its file is; made if it is not there
     * @throws IOException if it can not be made
     */
    public StateStore(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder.toAbsolutePath());
    }

    /**
     * What was kept.
     *
     * @param configured whether LNet was configured
     * @param document the configuration, YAML
     */
    public record State(boolean configured, String document) {}

    /** Returns the file. */
    public Path file() {
        return folder.resolve(NAME);
    }

    /**
     * Returns what was kept last; nothing if nothing ever was.
     *
     * @throws IOException if it can not be read
     */
    public Optional<State> load() throws IOException {
        if (!Files.exists(file())) {
            return Optional.empty();
        }
        String text = Files.readString(file());
        return Optional.of(new State(!text.startsWith(UNCONFIGURED), text));
    }

    /**
     * Keeps a state instead of the one before; on disk when it returns.
     *
     * @throws IOException if it can not be written; then the one before is kept
     */
    public void save(State state) throws IOException {
        Path written = folder.resolve(NAME + ".new");
        String text = (state.configured() ? CONFIGURED : UNCONFIGURED) + state.document();
        try (FileChannel channel = FileChannel.open(
                written, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(written, file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        // The folder remembers the name; it has to be on disk as well.
        try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }
}
