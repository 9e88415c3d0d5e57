package org.railyard.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.base.Errno;

/** Files that are written whole or not at all, and why they are not. */
final class OutputFileTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void filesBesideStayAsTheyAre() throws IOException {
        Path own = Files.writeString(folder.resolve("x.net.part"), "mine");
        Path file = folder.resolve("x.net");
        OutputFile.write(file, "first");
        OutputFile.write(file, "second");
        assertThat(file).hasContent("second");
        assertThat(own).hasContent("mine");
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).containsExactlyInAnyOrder(file, own);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void whatTakesThePlaceOfAFileIsReadByNobodyElseBefore() throws IOException {
        Path file = Files.writeString(folder.resolve("x"), "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        Path part = OutputFile.newFileBeside(file, false);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(part)))
                .isEqualTo("rw-------");
        OutputFile.fill(part, file, "new", false);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(part)))
                .isEqualTo("rw-r-----");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFileForItsOwnerIsSoWhateverWasThere() throws IOException {
        Path file = folder.resolve("x");
        for (String before : new String[] {"none", "rw-r--r--"}) {
            if (Files.exists(file)) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(before));
            }
            try (OutputFile prepared = OutputFile.prepareForOwner(file, before)) {
                prepared.place();
            }
            assertThat(file).hasContent(before);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }

    /** Whoever asks as root may write anywhere, but makes no file in /proc. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void whetherAFileCanBeWrittenIsKnownBefore() throws IOException {
        Path file = Files.writeString(folder.resolve("x"), "old");
        OutputFile.requireWritable(file);
        OutputFile.requireWritable(folder.resolve("new"));
        OutputFile.requireWritable(Path.of("/dev/null"));
        assertThat(file).hasContent("old");
        assertThat(folder).isDirectoryNotContaining(each -> !each.equals(file));
        for (Path not :
                new Path[] {Path.of("/proc/x"), folder, folder.resolve("none").resolve("x")}) {
            assertThatThrownBy(() -> OutputFile.requireWritable(not)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void whatIsPreparedAndNotPlacedChangesNothing() throws IOException {
        Path file = Files.writeString(folder.resolve("x"), "old");
        try (OutputFile prepared = OutputFile.prepare(file, "new")) {
            assertThat(file).hasContent("old");
            assertThat(prepared).isNotNull();
        }
        assertThat(file).hasContent("old");
        assertThat(folder).isDirectoryNotContaining(each -> !each.equals(file));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFullDiskLeavesWhatWasThere() throws IOException {
        Path file = Files.writeString(folder.resolve("x"), "old");
        Path part = Files.createSymbolicLink(folder.resolve("part"), Path.of("/dev/full"));
        assertThatThrownBy(() -> OutputFile.fill(part, file, "new", false))
                .isInstanceOfSatisfying(
                        IOException.class, e -> assertThat(FileReason.errno(e)).isEqualTo(Errno.ENOSPC));
        assertThat(file).hasContent("old");
        assertThat(part).doesNotExist();
    }

    @Test
    void aMissingFolderIsNamed() {
        Path file = folder.resolve("none").resolve("x");
        assertThatThrownBy(() -> OutputFile.write(file, ""))
                .isInstanceOfSatisfying(
                        NoSuchFileException.class,
                        e -> assertThat(FileReason.ofWriting(file, e))
                                .isEqualTo("there is no folder " + folder.resolve("none")));
    }

    /** A link may lead to a file system that is not mounted, or to a file that nobody has written yet. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aLinkToAFileThatIsNotThereStays() throws IOException {
        Path file = folder.resolve("kept");
        Path link = Files.createSymbolicLink(
                folder.resolve("link"), Files.createSymbolicLink(folder.resolve("second"), Path.of("kept")));
        OutputFile.write(link, "new");
        assertThat(link).isSymbolicLink().hasContent("new");
        assertThat(file).isRegularFile();

        Path lost = Files.createSymbolicLink(
                folder.resolve("lost"), folder.resolve("none").resolve("x"));
        assertThatThrownBy(() -> OutputFile.requireWritable(lost)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> OutputFile.write(lost, "new")).isInstanceOf(NoSuchFileException.class);
        assertThat(lost).isSymbolicLink();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void linksThatLeadToEachOtherAreTold() throws IOException {
        Path one = folder.resolve("one");
        Path two = Files.createSymbolicLink(folder.resolve("two"), one);
        Files.createSymbolicLink(one, two);
        assertThatThrownBy(() -> OutputFile.write(one, "new")).isInstanceOf(FileSystemLoopException.class);
        assertThat(one).isSymbolicLink();
    }

    /** What is left holds keys; what may be somebody else's is not touched. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void whatKilledProcessesLeftIsRemoved() throws IOException {
        Path file = Files.writeString(folder.resolve("x.y"), "old");
        // Above the largest PID of Linux.
        long dead = 4_194_305;
        Instant longAgo = Instant.now().minus(Duration.ofHours(2));
        Path left = old(".x.y." + dead + "-1.part", longAgo);
        Path next = old(".x.y." + dead + "-2.part", longAgo);
        Path[] others = {
            file,
            old(".x.y." + ProcessHandle.current().pid() + "-1.part", longAgo),
            old(".x.y." + dead + "-3.part", Instant.now()),
            old(".xzy." + dead + "-1.part", longAgo),
            old(".x.y.z." + dead + "-1.part", longAgo),
            old("x.y." + dead + "-1.part", longAgo),
            old(".x.y." + dead + "-1.part.txt", longAgo),
            old(".x.y.-1-1.part", longAgo),
            old(".x.y.99999999999999999999-1.part", longAgo),
            Files.createDirectory(folder.resolve(".x.y." + dead + "-4.part"))
        };
        OutputFile.removeLeft(file);
        assertThat(left).doesNotExist();
        assertThat(next).doesNotExist();
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).containsExactlyInAnyOrder(others);
        }
        OutputFile.removeLeft(folder.resolve("none").resolve("x"));
    }

    private Path old(String name, Instant changed) throws IOException {
        return Files.setLastModifiedTime(Files.writeString(folder.resolve(name), "key"), FileTime.from(changed));
    }

    /** Lines as Linux writes them: the fifth word is the mount point, with blanks as octal numbers. */
    @Test
    void aFileThatIsMountedIsKnown() throws IOException {
        Path mounts = Files.writeString(folder.resolve("mountinfo"), """
            30 1 254:1 / / rw,relatime - ext4 /dev/vda1 rw
            45 30 254:1 /srv/lids /etc/sm/guid2lid rw,relatime shared:1 - ext4 /dev/vda1 rw
            46 30 254:1 /srv/b /etc/two\\040words\\134 rw,relatime - ext4 /dev/vda1 rw
            short
            """);
        assertThat(MountPoint.is(Path.of("/etc/sm/guid2lid"), mounts)).isTrue();
        assertThat(MountPoint.is(Path.of("/etc/two words\\"), mounts)).isTrue();
        assertThat(MountPoint.is(Path.of("/srv/lids"), mounts)).isFalse();
        assertThat(MountPoint.is(Path.of("/etc/sm"), mounts)).isFalse();
        assertThat(MountPoint.is(Path.of("/"), folder.resolve("none"))).isFalse();
    }

    @Test
    void reasonsHaveWordsAndAnErrno() {
        assertThat(FileReason.ofReading(new AccessDeniedException("/x"))).isEqualTo("permission denied");
        assertThat(FileReason.errno(new AccessDeniedException("/x"))).isEqualTo(Errno.EPERM);
        assertThat(FileReason.errno(new IOException("No space left on device"))).isEqualTo(Errno.ENOSPC);
        assertThat(FileReason.errno(new NoSuchFileException("/x"))).isEqualTo(Errno.ENOENT);
        assertThat(FileReason.ofReading(new IOException((String) null))).isEqualTo("IOException");
    }
}
