package org.railyard.cli.fabric;

import java.io.IOException;
import java.nio.file.Path;
import org.railyard.cli.text.FileReason;
import org.railyard.cli.text.OutputFile;

/** Files that commands write beside what they print. */
final class ResultFile {
    private ResultFile() {}

    /**
     * Writes a text instead of what the file holds, whole or not at all.
     *
     * @throws IOException if it cannot be written; the message names the file and why
     */
    static void write(Path file, String text) throws IOException {
        try {
            OutputFile.write(file, text);
        } catch (IOException e) {
            throw unwritten(file, e);
        }
    }

    /** Returns a failure that names what could not be written, and why. */
    static IOException unwritten(Path file, IOException why) {
        return new IOException(file + ": cannot be written: " + FileReason.ofWriting(file, why), why);
    }
}
