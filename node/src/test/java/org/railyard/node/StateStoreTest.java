package org.railyard.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept over restarts, on a disk that makes errors. */
final class StateStoreTest {
    private static final StateStore.State ON = new StateStore.State(true, "net: []\n");
    private static final StateStore.State OFF = new StateStore.State(false, "");

    @TempDir
    private Path dir = Path.of("");

    @Test
    void aStateThatIsInItsPlaceIsKeptEvenIfTheFolderCanNotBeBroughtToTheDisk() throws IOException {
        List<Path> asked = new ArrayList<>();
        StateStore store = new StateStore(dir, folder -> {
            asked.add(folder);
            throw new IOException("no space for the journal");
        });
        store.save(OFF);
        store.save(ON);
        assertThat(asked).containsExactly(dir.toAbsolutePath(), dir.toAbsolutePath());
        assertThat(new StateStore(dir).load().orElseThrow().configured()).isTrue();
        assertThat(store.previous()).isPresent();
        store.forget();
        assertThat(new StateStore(dir).load()).isEmpty();
    }

    @Test
    void aFileInPlaceOfTheFolderIsTold() throws IOException {
        Path file = Files.createFile(dir.resolve("state"));
        assertThatThrownBy(() -> new StateStore(file))
                .hasMessage("the state folder " + file + " can not be made: it is there and is no folder; name another"
                        + " with --state DIR, or keep nothing with --no-state");
    }
}
