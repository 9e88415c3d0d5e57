package org.railyard.cli.sm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.railyard.cli.text.FileReason;
import org.railyard.sm.TextStore;

/** A table by GUID in a file, as OpenSM's guid2lid or guid2mkey; it need not be there at first. */
final class KeptTable implements TextStore {
    /** Largest file: some 30 times that of a full subnet. */
    private static final int MAX_BYTES = 1 << 26;

    private final KeptText text;
    private final boolean isSecret;

    /**
     * Makes one.
     *
     * @param isSecret whether only the owner may read it
     */
    KeptTable(Path file, boolean isSecret) {
        this.isSecret = isSecret;
        text = new KeptText(file, MAX_BYTES, StandardCharsets.ISO_8859_1);
    }

    @Override
    public String name() {
        return text.file().toString();
    }

    @Override
    public String load() {
        try {
            return text.load();
        } catch (IOException e) {
            throw new UncheckedIOException(text.file() + ": cannot be read: " + FileReason.ofReading(e), e);
        }
    }

    /**
     * Looks whether the file could be replaced, as far as that can be known before.
     *
     * @throws UncheckedIOException if not
     */
    void requireWritable() {
        text.requireWritable();
    }

    @Override
    public void save(String newText) {
        if (isSecret) {
            text.saveForOwner(newText, () -> true);
        } else {
            text.save(newText);
        }
    }
}
