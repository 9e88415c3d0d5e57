package org.railyard.cli.text;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Set;

/**
 * Writes a file whole or not at all: where the disk is full, what the file held stays. Several files are prepared first
 * and then put in their places, so that none changes if one can not be written. Devices and pipes are written as they
 * are, when they are put in their place. Not thread-safe.
 */
public final class OutputFile implements AutoCloseable {
    /** Most names that are tried for a new file; each is taken only if another thread writes the same file. */
    private static final int MAX_TRIES = 100;

    /** Most links from one name to the file, as with Linux. */
    private static final int MAX_LINKS = 40;

    /** Permissions of a file that is its owner's alone. */
    private static final Set<PosixFilePermission> OWNER =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    /** Why no file takes the place of one that is mounted. */
    private static final String MOUNTED = "it is mounted by itself; mount its folder instead";

    private final Path target;
    private final String text;

    /** The file with the text, beside the target; the target itself if that is no file. */
    private final Path part;

    private OutputFile(Path target, String text, Path part) {
        this.target = target;
        this.text = text;
        this.part = part;
    }

    /**
     * Writes a text instead of what the file holds.
     *
     * @throws IOException if it can not be written; a file that was there is as it was
     */
    public static void write(Path file, String text) throws IOException {
        try (OutputFile prepared = prepare(file, text)) {
            prepared.place();
        }
    }

    /**
     * Looks whether a text could be written instead of what the file holds, as far as that can be known before: a file
     * can be made beside it, and can take its place. It is removed again, and nothing else changes.
     *
     * @throws IOException if it can not be written
     */
    public static void requireWritable(Path file) throws IOException {
        if (isReplaced(file)) {
            Path target = target(file);
            if (MountPoint.is(target, MountPoint.MOUNTS)) {
                throw new FileSystemException(file.toString(), null, MOUNTED);
            }
            Files.delete(newFileBeside(target, true));
        }
    }

    /**
     * Removes what processes left beside a file that were killed while they wrote it; what may be somebody else's, or
     * is less than an hour old, stays.
     */
    public static void removeLeft(Path file) {
        try {
            PartFiles.removeLeft(target(file), Instant.now());
        } catch (IOException _) {
            // Whoever writes the file is told what is wrong with it.
        }
    }

    /**
     * Writes a text beside the file, which stays as it is until {@link #place}.
     *
     * @throws IOException if it can not be written
     */
    public static OutputFile prepare(Path file, String text) throws IOException {
        return prepare(file, text, false);
    }

    /**
     * Does the same as {@link #prepare}; nobody but its owner may read the file, also if others could read the one that
     * it replaces.
     *
     * @throws IOException if it can not be written
     */
    public static OutputFile prepareForOwner(Path file, String text) throws IOException {
        return prepare(file, text, true);
    }

    private static OutputFile prepare(Path file, String text, boolean isSecret) throws IOException {
        if (!isReplaced(file)) {
            return new OutputFile(file, text, file);
        }
        Path target = target(file);
        Path part = newFileBeside(target, isSecret);
        fill(part, target, text, isSecret);
        return new OutputFile(target, text, part);
    }

    /** Tells whether another file takes its place; what is a device or a pipe is written as it is. */
    private static boolean isReplaced(Path file) throws IOException {
        boolean isReplaced = !Files.exists(file) || Files.isRegularFile(file);
        if (!isReplaced && (Files.isDirectory(file) || !Files.isWritable(file))) {
            throw new FileSystemException(
                    file.toString(), null, Files.isDirectory(file) ? "Is a directory" : "permission denied");
        }
        return isReplaced;
    }

    /**
     * Returns the file itself where the name is that of a link to one, also if that is not there: the link stays, and a
     * folder that is missing where it leads is told.
     *
     * @throws IOException if that can not be found out, or links lead to each other
     */
    public static Path target(Path file) throws IOException {
        if (Files.exists(file)) {
            return file.toRealPath();
        }
        Path target = file.toAbsolutePath();
        for (int links = 0; Files.isSymbolicLink(target); links++) {
            if (links == MAX_LINKS) {
                throw new FileSystemLoopException(file.toString());
            }
            target = target.resolveSibling(Files.readSymbolicLink(target));
        }
        return target;
    }

    /**
     * Puts the text in the place of what the file holds.
     *
     * @throws IOException if that fails; a file that was there is as it was
     */
    public void place() throws IOException {
        if (part.equals(target)) {
            Files.writeString(target, text);
        } else {
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            force(target.resolveSibling("."));
        }
    }

    /** The new name is brought to the disk, too. */
    private static void force(Path folder) {
        try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
            entries.force(true);
        } catch (IOException _) {
            // Not all file systems can. The file is whole under its name all the same: if the power fails soon, it may
            // be the one before, as whole.
        }
    }

    /** Deletes what was prepared and not put in its place. */
    @Override
    public void close() throws IOException {
        if (!part.equals(target)) {
            Files.deleteIfExists(part);
        }
    }

    /** Writes a text into a file that is to take the place of the target; where that fails, it is deleted. */
    static void fill(Path part, Path target, String text, boolean isSecret) throws IOException {
        try {
            try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            if (!isSecret && Files.exists(target)) {
                Files.setPosixFilePermissions(part, Files.getPosixFilePermissions(target));
            }
        } catch (IOException e) {
            Files.deleteIfExists(part);
            throw e;
        }
    }

    /**
     * Makes a file that nobody else has, with the permissions of any new file. One for a file that is there is the
     * owner's alone until it gets that one's permissions: what it holds may be secret.
     *
     * @param isSecret whether it is the owner's alone in any case
     */
    static Path newFileBeside(Path target, boolean isSecret) throws IOException {
        FileAttribute<?>[] permissions = isSecret || Files.exists(target)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER)}
                : new FileAttribute<?>[0];
        for (int number = 1; ; number++) {
            try {
                return Files.createFile(PartFiles.of(target, number), permissions);
            } catch (FileAlreadyExistsException e) {
                if (number == MAX_TRIES) {
                    throw e;
                }
            }
        }
    }
}
