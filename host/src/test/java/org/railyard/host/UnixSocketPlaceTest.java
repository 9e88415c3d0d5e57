package org.railyard.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

class UnixSocketPlaceTest {
    @TempDir
    Path dir;

    private ServerSocketChannel listener;

    @BeforeEach
    void open() throws IOException {
        listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    }

    @AfterEach
    void close() throws IOException {
        listener.close();
    }

    private Path take(Path socket, @Nullable String group) throws IOException {
        return UnixSocketPlace.take(socket, "lnetd", group, at -> listener.bind(UnixDomainSocketAddress.of(at)));
    }

    private void isRefused(Path socket, Errno errno, String text) {
        assertThatThrownBy(() -> take(socket, null))
                .hasMessageContaining(text)
                .asInstanceOf(type(ErrnoException.class))
                .extracting(ErrnoException::errno)
                .isEqualTo(errno);
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void aPathMayBeAsLongAsTheSystemAllows() throws IOException {
        int left = 106 - dir.toString().length() - 1;
        Path longest = dir.resolve("s".repeat(left));
        assertThat(take(longest, null)).isEqualTo(longest);
        isRefused(dir.resolve("s".repeat(left + 1)), Errno.EINVAL, "may have 106 bytes, and " + dir);
        // Its socket is made in a folder beside it.
        Path folder = dir.resolve("f".repeat(left - 2));
        isRefused(folder.resolve("s"), Errno.EINVAL, " has 106");
        assertThat(folder).doesNotExist();
    }

    @Test
    void aFolderThatWasLeftBehindIsNotInTheWay() throws IOException {
        Files.createDirectory(dir.resolve(".s0"));
        assertThat(take(dir.resolve("s"), null)).exists();
        assertThat(dir.resolve(".s1")).doesNotExist();
    }

    @Test
    void onlyTheOwnerCanConnect() throws IOException {
        Path socket = dir.resolve("new/s");
        assertThat(take(socket, null)).isEqualTo(socket);
        assertThat(mode(socket)).isEqualTo("rw-------");
        assertThat(mode(dir.resolve("new"))).isEqualTo("rwx------");
        try (var files = Files.list(dir.resolve("new"))) {
            assertThat(files).containsExactly(socket);
        }
    }

    @Test
    void aGroupCanConnectToo() throws IOException {
        Path file = Files.createFile(dir.resolve("file"));
        String own = Files.getAttribute(file, "posix:group").toString();
        Path socket = dir.resolve("new/s");
        take(socket, own);
        assertThat(mode(socket)).isEqualTo("rw-rw----");
        assertThat(mode(dir.resolve("new"))).isEqualTo("rwx--x--x");
        assertThat(Files.getAttribute(socket, "posix:group")).hasToString(own);
    }

    @Test
    void anUnknownGroupLeavesNothingBehind() throws IOException {
        assertThatThrownBy(() -> take(dir.resolve("s"), "no-such-group"))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("there is no group 'no-such-group'");
        assertThat(dir).isEmptyDirectory();
    }

    @Test
    void oneThatListensIsLeftAlone() throws IOException {
        Path socket = dir.resolve("s");
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(socket));
            isRefused(socket, Errno.EADDRINUSE, "another lnetd listens at " + socket);
        }
        // Its socket is left behind.
        assertThat(take(socket, null)).isEqualTo(socket);
    }

    @Test
    void whatIsNoSocketIsNotDeleted() throws IOException {
        Path file = Files.writeString(dir.resolve("file"), "precious");
        isRefused(file, Errno.EEXIST, "is there and no socket");
        assertThat(file).hasContent("precious");
        Path link = Files.createSymbolicLink(dir.resolve("link"), dir.resolve("nowhere"));
        isRefused(link, Errno.EEXIST, "is there and no socket");
        assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
        isRefused(dir, Errno.EEXIST, "is there and no socket");
        isRefused(Path.of("/dev/null"), Errno.EEXIST, "is there and no socket");
        isRefused(Path.of("/"), Errno.EINVAL, "expected a path of a file");
    }

    @Test
    void aFailureToBindLeavesNothingBehind() {
        assertThatThrownBy(() -> UnixSocketPlace.take(dir.resolve("s"), "lnetd", null, at -> {
                    throw new IOException("no");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("no");
        assertThat(dir).isEmptyDirectory();
    }
}
