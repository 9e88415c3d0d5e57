package org.railyard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheTrainingTest {
    @TempDir
    private Path folder;

    /** It ends the process if a command fails. */
    @Test
    void eachOfItsCommandsWorks() throws IOException, InterruptedException {
        CacheTraining.main(new String[] {folder.resolve("new").toString(), "3x3x1", "live"});
        assertThat(folder.resolve("new/net")).isNotEmptyFile();
        assertThat(folder.resolve("new/tables")).isNotEmptyDirectory();
        assertThat(folder.resolve("new/sm.sock"))
                .as("left by a subnet manager that has ended")
                .doesNotExist();
    }

    @Test
    void thatOfTheSubnetManagerRoutesNoFiles() throws IOException, InterruptedException {
        CacheTraining.main(new String[] {folder.resolve("sm").toString(), "3x3x1", "sm"});
        assertThat(folder.resolve("sm/net")).isNotEmptyFile();
        assertThat(folder.resolve("sm/tables")).doesNotExist();
        assertThat(folder.resolve("sm/sm.sock")).doesNotExist();
    }
}
