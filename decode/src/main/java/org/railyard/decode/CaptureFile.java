package org.railyard.decode;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A capture file in the address space: mapped, not read, so its size costs no heap. Close it to give everything back.
 */
final class CaptureFile implements AutoCloseable {
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

    /** Opens a regular file. */
    static CaptureFile open(Path path) throws IOException {
        return new CaptureFile(path);
    }

    MemorySegment bytes() {
        return bytes;
    }

    @Override
    public void close() {
        arena.close();
    }
}
