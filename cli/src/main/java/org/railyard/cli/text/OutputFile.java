package org.railyard.cli.text;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes a file whole or not at all: where the disk is full, what the file held stays. */
public final class OutputFile {
    /** Most names that are tried for a new file; each is taken only if another thread writes the same file. */
    private static final int MAX_TRIES = 100;

    private OutputFile() {}

    /**
     * Writes a text instead of what the file holds. Devices and pipes are written as they are.
     *
     * @throws IOException if it can not be written; a file that was there is as it was
     */
    public static void write(Path file, String text) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            Files.writeString(file, text);
            return;
        }
        Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        write(newFileBeside(target), target, text);
    }

    /** Writes a text into a file and puts it in the place of the target; where that fails, it is deleted. */
    static void write(Path part, Path target, String text) throws IOException {
        try {
            try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            if (Files.exists(target)) {
                Files.setPosixFilePermissions(part, Files.getPosixFilePermissions(target));
            }
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            Files.deleteIfExists(part);
            throw e;
        }
    }

    /** Makes a file that nobody else has, with the permissions of any new file. */
    private static Path newFileBeside(Path target) throws IOException {
        for (int number = 1; ; number++) {
            try {
                return Files.createFile(target.resolveSibling("." + target.getFileName() + "."
                        + ProcessHandle.current().pid() + "-" + number + ".part"));
            } catch (FileAlreadyExistsException e) {
                if (number == MAX_TRIES) {
                    throw e;
                }
            }
        }
    }
}
