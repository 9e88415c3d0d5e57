package org.railyard.host;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/** Puts a listening Unix socket where nobody but its owner, or a group, can connect to it. */
public final class UnixSocketPlace {
    /** Listens on a new socket. */
    @FunctionalInterface
    public interface Binder {
        /**
         * Binds a socket and listens.
         *
         * @param at where; nothing is there
         * @throws IOException if that can not be done
         */
        void bind(Path at) throws IOException;
    }

    /** Bits of a file's mode that tell its type, and what they are for a socket. */
    private static final int FILE_TYPE = 0170000;

    private static final int SOCKET = 0140000;

    /** Longest path of a socket, bytes: what the JDK passes on. */
    private static final int MAX_PATH = 106;

    private static final int TRIES = 100;

    private UnixSocketPlace() {}

    /**
     * Makes a socket. A folder that is missing is made for the owner, and for the group to pass through; a socket that
     * a program left behind which was killed is replaced. If it fails after {@code binder} is done, the caller closes
     * what that opened.
     *
     * @param socket where
     * @param program who listens there, for messages
     * @param group the group that may connect beside the owner; null for nobody
     * @param binder listens
     * @return the absolute path of the socket
     * @throws ErrnoException EADDRINUSE if somebody listens there, EEXIST if something else is there, EINVAL if it is
     *     no place for a file or too long for a socket, ENOENT if there is no such group
     * @throws IOException if the socket can not be made
     */
    public static Path take(Path socket, String program, @Nullable String group, Binder binder) throws IOException {
        Path place = socket.toAbsolutePath();
        Path folder = place.getParent();
        if (folder == null) {
            throw new ErrnoException(Errno.EINVAL, socket + " is no place for a socket; expected a path of a file");
        }
        requireShort(place, folder);
        if (!Files.isDirectory(folder)) {
            String mode = group == null ? "rwx------" : "rwx--x--x";
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode)));
        }
        requireUnused(place, program);
        // Made where nobody else can reach it, so that it is never open wider than it shall be.
        Path hidden = hide(folder);
        Path made = hidden.resolve("s");
        try {
            binder.bind(made);
            protect(made, group);
            Files.move(made, place, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(made);
            Files.deleteIfExists(hidden);
        }
        return place;
    }

    private static void requireShort(Path place, Path folder) {
        int own = place.toString().getBytes(StandardCharsets.UTF_8).length;
        int hidden = hidden(folder, TRIES - 1).resolve("s").toString().getBytes(StandardCharsets.UTF_8).length;
        if (own > MAX_PATH || hidden > MAX_PATH) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "the path of a socket may have " + (MAX_PATH - Math.max(0, hidden - own)) + " bytes, and " + place
                            + " has " + own + "; choose a shorter one with --socket");
        }
    }

    /** Makes a folder of the owner's; its name is short, because it is part of a socket's path for a moment. */
    private static Path hide(Path folder) throws IOException {
        for (int i = 0; ; i++) {
            try {
                return Files.createDirectory(
                        hidden(folder, i),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (FileAlreadyExistsException e) {
                if (i == TRIES - 1) {
                    throw e;
                }
            }
        }
    }

    private static Path hidden(Path folder, int number) {
        return folder.resolve(".s" + number);
    }

    private static void requireUnused(Path place, String program) throws IOException {
        if (!Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        int mode = (Integer) Files.getAttribute(place, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        if ((mode & FILE_TYPE) != SOCKET) {
            throw new ErrnoException(
                    Errno.EEXIST, place + " is there and no socket; choose another place with --socket");
        }
        boolean answers;
        try (SocketChannel probe = SocketChannel.open(UnixDomainSocketAddress.of(place))) {
            answers = probe.isConnected();
        } catch (IOException e) {
            // Nobody listens: left behind by one that was killed.
            answers = false;
        }
        if (answers) {
            throw new ErrnoException(
                    Errno.EADDRINUSE,
                    "another " + program + " listens at " + place + "; stop it, or choose another place with --socket");
        }
        Files.delete(place);
    }

    private static void protect(Path path, @Nullable String group) throws IOException {
        if (group != null) {
            Files.getFileAttributeView(path, PosixFileAttributeView.class).setGroup(groupOf(path, group));
        }
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(group == null ? "rw-------" : "rw-rw----"));
    }

    private static GroupPrincipal groupOf(Path path, String name) throws IOException {
        try {
            return path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(name);
        } catch (UserPrincipalNotFoundException e) {
            throw new ErrnoException(
                    Errno.ENOENT,
                    "there is no group '" + name + "' on this machine; expected one whose members may connect to the"
                            + " socket",
                    e);
        }
    }
}
