package org.railyard.cli.text;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files in which {@link OutputFile} prepares a text: {@code .NAME.PID-NUMBER.part} beside the one it is for. */
final class PartFiles {
    /**
     * Younger ones are left alone: on a shared file system they may be those of a process on another machine, whose PID
     * means nothing here.
     */
    private static final Duration LEFT = Duration.ofHours(1);

    /** What a PID has at most, digits, and a number. */
    private static final String DIGITS = "\\d{1,10}";

    private PartFiles() {}

    /** Returns the name of one that this process prepares. */
    static Path of(Path target, int number) {
        return target.resolveSibling(
                "." + target.getFileName() + "." + ProcessHandle.current().pid() + "-" + number + ".part");
    }

    /**
     * Removes those that processes left which were killed while they wrote the same file: of the same owner, of no
     * process that runs, and not changed for an hour. What can not be looked at or removed stays.
     *
     * @param target the file; nothing is removed if it is not there
     */
    static void removeLeft(Path target, Instant now) {
        Path folder = target.toAbsolutePath().getParent();
        Pattern name = Pattern.compile("\\." + Pattern.quote(String.valueOf(target.getFileName())) + "\\.(" + DIGITS
                + ")-" + DIGITS + "\\.part");
        if (folder == null) {
            return;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(
                folder, each -> name.matcher(each.getFileName().toString()).matches())) {
            UserPrincipal owner = Files.getOwner(target);
            for (Path part : all) {
                Matcher pid = name.matcher(part.getFileName().toString());
                if (pid.matches() && isLeft(part, Long.parseLong(pid.group(1)), owner, now)) {
                    Files.deleteIfExists(part);
                }
            }
        } catch (IOException | RuntimeException _) {
            // They take some space, nothing else; a folder that can not be read may take a file all the same.
        }
    }

    private static boolean isLeft(Path part, long pid, UserPrincipal owner, Instant now) throws IOException {
        BasicFileAttributes known = Files.readAttributes(part, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return known.isRegularFile()
                && known.lastModifiedTime().toInstant().isBefore(now.minus(LEFT))
                && Files.getOwner(part, LinkOption.NOFOLLOW_LINKS).equals(owner)
                && ProcessHandle.of(pid).isEmpty();
    }
}
