package org.railyard.cli.text;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.railyard.base.Errno;

/** Why a file could not be read or written, in words and as an errno. Java tells some reasons by name only. */
public final class FileReason {
    /** What the C library says to ENOSPC. */
    private static final String DISK_FULL = "No space left on device";

    private static final String FOLDER = "Is a directory";

    private FileReason() {}

    /** Says why a file could not be read; does not name it. */
    public static String ofReading(IOException failure) {
        return switch (failure) {
            case NoSuchFileException _ -> "no such file";
            case AccessDeniedException _ -> "permission denied";
            case CharacterCodingException _ -> "it is no text in UTF-8";
            case FileSystemException e when e.getReason() != null -> e.getReason();
            default -> words(failure);
        };
    }

    /** Says why a file could not be written; does not name it, but the folder that is missing. */
    public static String ofWriting(Path file, IOException failure) {
        if (!(failure instanceof NoSuchFileException)) {
            return ofReading(failure);
        }
        Path folder = file.toAbsolutePath().getParent();
        // Some file systems, such as /proc, say so of whatever is to be made in them.
        return folder != null && Files.isDirectory(folder)
                ? "nothing can be made in " + folder
                : "there is no folder " + folder;
    }

    /** Returns the errno of a failure; of one that has none, EIO. */
    public static Errno errno(IOException failure) {
        return switch (failure) {
            case NoSuchFileException _ -> Errno.ENOENT;
            case AccessDeniedException _ -> Errno.EPERM;
            case FileAlreadyExistsException _ -> Errno.EEXIST;
            default -> {
                String reason = ofReading(failure);
                if (reason.contains(DISK_FULL)) {
                    yield Errno.ENOSPC;
                }
                yield reason.contains(FOLDER) ? Errno.EINVAL : Errno.EIO;
            }
        };
    }

    private static String words(IOException failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }
}
