package org.railyard.cli.sm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is given to be kept while the file system hangs: the newest is kept, nobody waits for ever. */
final class SaFileThreadTest {
    @TempDir
    private Path directory = Path.of("");

    /** What the thread of the file has not begun. */
    private final Queue<Runnable> tasks = new ArrayDeque<>();

    private SaFileThread thread(Path file, Duration limit) {
        return new SaFileThread(new SaFile(file, InstantSource.system()), tasks::add, limit);
    }

    private void run() {
        for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
            next.run();
        }
    }

    @Test
    void ofTextsThatWaitTheNewestIsKept() {
        Path file = directory.resolve("state");
        SaFileThread kept = thread(file, Duration.ZERO);
        CompletableFuture<Void> one = kept.save("one");
        CompletableFuture<Void> two = kept.save("two");
        assertThat(tasks).hasSize(1);
        assertThat(one).isNotDone();
        run();
        assertThat(one).isCompleted();
        assertThat(two).isCompleted();
        assertThat(file).hasContent("two");
        kept.save("three");
        run();
        assertThat(file).hasContent("three");
    }

    @Test
    void whatFailsIsKnownToWhoeverGaveIt() throws IOException {
        SaFileThread kept = thread(Files.createDirectory(directory.resolve("state")), Duration.ZERO);
        CompletableFuture<Void> given = kept.save("one");
        run();
        assertThat(given)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(UncheckedIOException.class)
                .withMessageContaining("cannot be written: Is a directory");
    }

    /** It may have kept other things there since. */
    @Test
    void whatWaitedWhenAnotherMasterTookOverIsNotWritten() {
        Path file = directory.resolve("state");
        SaFileThread kept = thread(file, Duration.ZERO);
        CompletableFuture<Void> given = kept.save("one");
        kept.leave();
        assertThat(given).isCancelled();
        CompletableFuture<Void> later = kept.save("two");
        run();
        assertThat(later).isCompleted();
        assertThat(file).hasContent("two");
    }

    @Test
    void nobodyWaitsForEver() {
        Path file = directory.resolve("state");
        SaFileThread kept = thread(file, Duration.ZERO);
        assertThatThrownBy(kept::load)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage(file + ": its file system has not answered within 0 s; see to it");
        assertThatThrownBy(kept::await).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void whoeverAsksGetsWhatWasGivenBefore() {
        Path file = directory.resolve("state");
        SaFileThread kept =
                new SaFileThread(new SaFile(file, InstantSource.system()), SaFileThread.daemon(), SaFileThread.LIMIT);
        kept.save("one");
        assertThat(kept.load()).isEqualTo("one");
        kept.save("two");
        kept.await();
        assertThat(file).hasContent("two");
    }
}
