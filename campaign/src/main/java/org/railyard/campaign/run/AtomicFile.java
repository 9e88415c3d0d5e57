package org.railyard.campaign.run;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Files that are there whole or not at all, in a folder that one process has for itself. */
public final class AtomicFile {
    private AtomicFile() {}

    /** What writes the text. */
    @FunctionalInterface
    public interface Body {
        /** Writes it. */
        void write(Writer out) throws IOException;
    }

    @FunctionalInterface
    private interface Bytes {
        void write(OutputStream out) throws IOException;
    }

    /**
     * Writes a file, UTF-8, instead of what is there.
     *
     * @throws IOException if it can not be written; what was there is as it was
     */
    public static void write(Path file, Body body) throws IOException {
        place(file, stream -> {
            Writer out = new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8));
            body.write(out);
            out.flush();
        });
    }

    /**
     * Writes a file of these bytes instead of what is there.
     *
     * @throws IOException if it can not be written; what was there is as it was
     */
    public static void write(Path file, byte[] bytes) throws IOException {
        place(file, out -> out.write(bytes));
    }

    private static void place(Path file, Bytes bytes) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try (FileChannel channel = FileChannel.open(
                part, StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING)) {
            bytes.write(Channels.newOutputStream(channel));
            channel.force(true);
        } catch (IOException e) {
            Files.deleteIfExists(part);
            throw named(file, e);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Returns a failure that names its file: that of a write says only what is wrong, such as that a disk is full. */
    static IOException named(Path file, IOException failure) {
        if (failure instanceof FileSystemException || failure instanceof ClosedChannelException) {
            return failure;
        }
        FileSystemException named = new FileSystemException(file.toString(), null, failure.getMessage());
        named.initCause(failure);
        return named;
    }
}
