package org.railyard.itest.daemon;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.railyard.itest.kit.Await;

/**
 * A shell of root in a copy of this machine's root folder, with mounts, network and processes of its own. What is
 * installed or changed there is in memory, and gone when it is closed; so are all processes.
 */
final class ScratchRoot implements AutoCloseable {
    private static final String EXIT = "railyard-itest-exit ";

    /** Makes the copy. Arguments: an empty folder, and a file that is to be {@code /package}. */
    static final String COPY = """
        mount -t tmpfs railyard "$1"
        mkdir "$1/upper" "$1/work" "$1/root"
        cp "$2" "$1/upper/package"
        mount -t overlay railyard -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
        """;

    private static final String BEGIN = "set -e\n" + COPY + """
        mount -t proc railyard "$1/root/proc"
        mount -t tmpfs railyard "$1/root/run"
        mount --rbind /dev "$1/root/dev"
        ip link set lo up
        exec chroot "$1/root" /bin/sh
        """;

    private final Process process;
    private final PrintStream input;
    private final BufferedReader output;

    /**
     * Makes one.
     *
     * @param folder an empty folder
     * @param deb will be {@code /package}
     */
    ScratchRoot(Path folder, Path deb) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        "unshare",
                        "--mount",
                        "--net",
                        "--pid",
                        "--fork",
                        "--kill-child",
                        "sh",
                        "-c",
                        BEGIN,
                        "sh",
                        folder.toString(),
                        deb.toAbsolutePath().toString())
                .redirectErrorStream(true);
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of(
                        "PATH", "/usr/sbin:/usr/bin:/sbin:/bin", "HOME", "/root", "LC_ALL", "C.UTF-8", "PAGER", "cat"));
        process = builder.start();
        input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Runs lines of the shell, one after the other.
     *
     * @param exit what the last one has to end with
     * @return what they wrote, to standard error too
     * @throws AssertionError if it ends with another status
     */
    String run(int exit, String lines) throws IOException {
        input.print("{\n" + lines + "\n} </dev/null 2>&1; printf '\\n" + EXIT + "%d\\n' $?\n");
        input.flush();
        StringBuilder said = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(EXIT)) {
                if (!line.equals(EXIT + exit)) {
                    throw new AssertionError(lines + ": " + line + " in place of " + exit + "\n" + said);
                }
                return said.toString();
            }
            said.append(line).append('\n');
        }
        throw new AssertionError(lines + ": the shell ended\n" + said);
    }

    /** Runs lines of which the last one has to succeed. */
    String run(String lines) throws IOException {
        return run(0, lines);
    }

    /** Returns what stands behind the equals signs of a systemd unit for a key, without the settings that are empty. */
    List<String> unit(String name, String key) throws IOException {
        return run("cat /usr/lib/systemd/system/" + name)
                .lines()
                .filter(line -> line.startsWith(key + "="))
                .map(line -> line.substring(key.length() + 1))
                .filter(value -> !value.isEmpty())
                .toList();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            throw Await.interrupted(e);
        }
    }
}
