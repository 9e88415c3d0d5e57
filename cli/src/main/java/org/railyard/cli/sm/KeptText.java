package org.railyard.cli.sm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
     * @throws IOException if it can not be read, or there is no directory to write it to
     */
    String load() throws IOException {
        if (!Files.exists(file)) {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null && !Files.isDirectory(directory)) {
                throw new IOException("there is no folder " + directory);
            }
            return "";
        }
        return WholeText.read(file, maxBytes, charset);
    }

    /**
     * Replaces the file as a whole.
     *
     * @throws UncheckedIOException if it can not be written
     */
    void save(String text) {
        try {
            OutputFile.write(file, text);
        } catch (IOException e) {
            throw cannotBeWritten(e);
        }
    }

    /**
     * Replaces the file as a whole; nobody but its owner may read it from then on.
     *
     * @throws UncheckedIOException if it can not be written
     */
    void saveForOwner(String text) {
        try {
            if (!Files.exists(file)) {
                Files.createFile(file, PosixFilePermissions.asFileAttribute(OutputFile.OWNER));
            } else if (Files.isRegularFile(file)
                    && !OutputFile.OWNER.containsAll(Files.getPosixFilePermissions(file))) {
                // As that of another program, which has left it open to all.
                Files.setPosixFilePermissions(file, OutputFile.OWNER);
            }
        } catch (IOException e) {
            throw cannotBeWritten(e);
        }
        save(text);
    }

    private UncheckedIOException cannotBeWritten(IOException why) {
        return new UncheckedIOException(file + ": cannot be written: " + FileReason.ofWriting(file, why), why);
    }
}
