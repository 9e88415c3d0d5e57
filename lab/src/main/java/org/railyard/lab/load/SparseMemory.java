package org.railyard.lab.load;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Memory that begins to exist, page by page, when it is touched. That of {@link Arena#allocate} is filled with zeros at
 * once; a run whose messages are short and whose payloads are references touches next to nothing of what it has. It is
 * the private view of a file that has no blocks and, after a moment, no name. Thread-safe.
 */
final class SparseMemory {
    /** Cards see memory by pages of so many bytes. */
    static final int PAGE_BYTES = 4096;

    private static final @Nullable FileChannel FILE = open();

    private SparseMemory() {}

    private static @Nullable FileChannel open() {
        try {
            Path path = Files.createTempFile("railyard-lab-", null);
            return FileChannel.open(
                    path,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.SPARSE,
                    StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException e) {
            return null;
        }
    }

    /** Returns memory that is all zeros and begins with a page; where no file can be made, the arena's own. */
    static MemorySegment allocate(Arena arena, long bytes) {
        if (FILE != null) {
            try {
                return FILE.map(MapMode.PRIVATE, 0, bytes, arena);
            } catch (IOException e) {
                // Below, without it.
            }
        }
        return arena.allocate(bytes, PAGE_BYTES);
    }
}
