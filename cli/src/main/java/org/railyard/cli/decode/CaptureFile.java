package org.railyard.cli.decode;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A capture in the address space: mapped, not read, so its size costs no heap. What is no regular file is copied into a temporary one first.
 * Close it to give everything back.
 */
final class CaptureFile implements AutoCloseable {
    /** Most bytes that are taken from standard input or a pipe. */
    static final long MAX_SPOOLED = 16L << 30;

    private static final int COPY_BUFFER = 1 << 16;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment bytes;

    private CaptureFile(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        } catch (IOException e) {
            arena.close();
            throw e;
        }
    }

    /** Opens a file; a pipe or device is read to its end first. */
    static CaptureFile open(Path path) throws IOException {
        if (Files.isRegularFile(path)) {
            return new CaptureFile(path);
        }
        try (InputStream in = Files.newInputStream(path)) {
            return spool(in, MAX_SPOOLED);
        }
    }

    /**
     * Reads a stream to its end.
     *
     * @throws IOException if reading or writing fails, or the stream is longer than {@code limit} bytes
     */
    static CaptureFile spool(InputStream in, long limit) throws IOException {
        Path temporary = Files.createTempFile("railyard-decode", ".pcap");
        try {
            copy(in, temporary, limit);
            return new CaptureFile(temporary);
        } finally {
            // The mapping lives on without the name.
            Files.delete(temporary);
        }
    }

    private static void copy(InputStream in, Path to, long limit) throws IOException {
        try (OutputStream out = Files.newOutputStream(to)) {
            byte[] buffer = new byte[COPY_BUFFER];
            long total = 0;
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                total += n;
                if (total > limit) {
                    throw new IOException("more than " + limit + " bytes of input; decode a file instead");
                }
                out.write(buffer, 0, n);
            }
        }
    }

    MemorySegment bytes() {
        return bytes;
    }

    @Override
    public void close() {
        arena.close();
    }
}
