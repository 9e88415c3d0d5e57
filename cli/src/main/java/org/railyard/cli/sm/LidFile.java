package org.railyard.cli.sm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.railyard.cli.text.FileReason;
import org.railyard.cli.text.OutputFile;
import org.railyard.sm.lid.LidStore;

/** The table of LIDs in a file, as OpenSM's guid2lid; it need not be there at first. */
final class LidFile implements LidStore {
    /** Largest file: some 30 times that of a full subnet. */
    private static final long MAX_BYTES = 1L << 26;

    private final Path file;

    LidFile(Path file) {
        this.file = file;
    }

    @Override
    public String load() {
        try {
            if (!Files.exists(file)) {
                return "";
            }
            if (Files.size(file) > MAX_BYTES) {
                throw new IOException("more than " + MAX_BYTES + " bytes");
            }
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void save(String text) {
        try {
            OutputFile.write(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be written: " + FileReason.ofWriting(file, e), e);
        }
    }
}
