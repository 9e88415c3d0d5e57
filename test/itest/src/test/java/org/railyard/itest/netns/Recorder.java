package org.railyard.itest.netns;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.railyard.itest.kit.Await;

/** Records what a device of a namespace carries, with {@code dumpcap}, until it is closed. */
final class Recorder implements AutoCloseable {
    private static final int LIMIT_SECONDS = 20;

    private final Process process;

    Recorder(Namespace namespace, String device, Path capture) throws IOException {
        process = new ProcessBuilder(
                        "ip",
                        "netns",
                        "exec",
                        namespace.name(),
                        "dumpcap",
                        "-q",
                        "-P",
                        "-i",
                        device,
                        "-w",
                        capture.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        // It writes the header of the file when it has begun.
        Await.until("the begin of the capture", () -> isBegun(capture));
    }

    private static boolean isBegun(Path capture) {
        try {
            return Files.exists(capture) && Files.size(capture) > 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("the recorder does not stop");
            }
        } catch (InterruptedException e) {
            throw Await.interrupted(e);
        }
    }
}
