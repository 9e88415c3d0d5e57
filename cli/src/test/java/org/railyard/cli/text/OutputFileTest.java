package org.railyard.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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

    @Test
    void reasonsHaveWordsAndAnErrno() {
        assertThat(FileReason.ofReading(new AccessDeniedException("/x"))).isEqualTo("permission denied");
        assertThat(FileReason.errno(new AccessDeniedException("/x"))).isEqualTo(Errno.EPERM);
        assertThat(FileReason.errno(new IOException("No space left on device"))).isEqualTo(Errno.ENOSPC);
        assertThat(FileReason.errno(new NoSuchFileException("/x"))).isEqualTo(Errno.ENOENT);
        assertThat(FileReason.ofReading(new IOException((String) null))).isEqualTo("IOException");
    }
}
