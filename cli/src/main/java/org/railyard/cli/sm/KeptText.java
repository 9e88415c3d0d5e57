package org.railyard.cli.sm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.railyard.cli.text.FileReason;
import org.railyard.cli.text.OutputFile;
import org.railyard.host.WholeText;

/**
 * A text that a subnet manager keeps in a file; it need not be there at first.
 *
 * @param file where
 * @param maxBytes largest file that is read
 * @param charset of the file
 */
record KeptText(Path file, int maxBytes, Charset charset) {
    /**
     * Returns the text, "" if there is no file.
     *
     * @throws IOException if it can not be read, also because nobody can tell whether it is there, or there is no
     *     directory to write it to
     */
    String load() throws IOException {
        try {
            return WholeText.read(file, maxBytes, charset);
        } catch (NoSuchFileException _) {
            Path directory = OutputFile.target(file).getParent();
            if (directory != null && !Files.isDirectory(directory)) {
                throw new IOException("there is no folder " + directory);
            }
            return "";
        }
    }

    /**
     * Looks whether the file could be replaced, as far as that can be known before, and removes what processes left
     * beside it that were killed while they wrote it.
     *
     * @throws UncheckedIOException if not
     */
    void requireWritable() {
        try {
            OutputFile.requireWritable(file);
            OutputFile.removeLeft(file);
        } catch (IOException e) {
            throw cannotBeWritten(e);
        }
    }

    /**
     * Replaces the file as a whole.
     *
     * @throws UncheckedIOException if it can not be written; a file that was there is as it was
     */
    void save(String text) {
        try {
            OutputFile.write(file, text);
            OutputFile.removeLeft(file);
        } catch (IOException e) {
            throw cannotBeWritten(e);
        }
    }

    /**
     * Replaces the file as a whole; nobody but its owner may read it from then on.
     *
     * @param isWanted asked when the text is on the disk and the file is to be replaced
     * @return false if it was not wanted then; the file is as it was
     * @throws UncheckedIOException if it can not be written; a file that was there is as it was
     */
    boolean saveForOwner(String text, BooleanSupplier isWanted) {
        try (OutputFile prepared = OutputFile.prepareForOwner(file, text)) {
            boolean wanted = isWanted.getAsBoolean();
            if (wanted) {
                prepared.place();
                OutputFile.removeLeft(file);
            }
            return wanted;
        } catch (IOException e) {
            throw cannotBeWritten(e);
        }
    }

    private UncheckedIOException cannotBeWritten(IOException why) {
        return new UncheckedIOException(
                "%s: cannot be written: %s; %s".formatted(file, FileReason.ofWriting(file, why), advice(why)), why);
    }

    private String advice(IOException why) {
        return switch (FileReason.errno(why)) {
            case ENOSPC -> "make room on its file system; until then it is as it was";
            case EINVAL -> "name a file";
            default ->
                "new files have to be made beside it, which then take its place; name one where that is possible";
        };
    }
}
