package org.railyard.itest.netns;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.railyard.itest.kit.Await;

/** Runs programs. */
public final class Shell {
    private static final int LIMIT_SECONDS = 20;

    private Shell() {}

    /**
     * Runs a program to its end.
     *
     * @return what it wrote
     * @throws AssertionError if it fails
     */
    public static String run(String... command) {
        try {
            Process process = new ProcessBuilder(List.of(command))
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(String.join(" ", command) + " does not end");
            }
            if (process.exitValue() != 0) {
                throw new AssertionError(
                        String.join(" ", command) + " ends with " + process.exitValue() + ": " + output);
            }
            return output;
        } catch (IOException e) {
            throw new AssertionError(String.join(" ", command) + " can not be run", e);
        } catch (InterruptedException e) {
            throw Await.interrupted(e);
        }
    }

    /** Runs a program given as one line of words without blanks. */
    public static String line(String words) {
        return run(words.split(" "));
    }
}
