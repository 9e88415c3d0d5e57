package org.railyard.itest.daemon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.railyard.itest.kit.Await;
import org.railyard.testkit.Program;

/**
 * A copy of this machine's root folder, booted by systemd, with mounts, network and processes of its own. What is
 * installed or changed there is in memory, and gone when it is closed; so are all processes.
 */
final class BootedRoot implements AutoCloseable {
    /** Where programs of the copy are looked for, without anything of this machine's environment. */
    private static final String ENVIRONMENT = "PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8";

    private static final String BOOTS = "systemd-nspawn";

    /** Control groups that systemd leaves behind are below this one, in each hierarchy. */
    private static final String GROUP = "railyard-itest";

    private static final String HIERARCHIES = "/sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified";

    /** Arguments: as those of {@link ScratchRoot#COPY}. */
    private static final String BEGIN = """
        set -e
        for each in %s; do
            [ ! -f $each/cgroup.procs ] || { mkdir -p $each/%s; echo $$ > $each/%2$s/cgroup.procs; }
        done
        %3$s
        exec %4$s --quiet --directory "$1/root" --private-network --register=no --keep-unit \
            --machine=railyard-itest --boot systemd.unit=basic.target
        """.formatted(HIERARCHIES, GROUP, ScratchRoot.COPY, BOOTS);

    private static final String END = """
        for each in %s; do
            [ ! -d $each/%s ] || find $each/%2$s -depth -type d -exec rmdir {} ';'
        done
        """.formatted(HIERARCHIES, GROUP);

    private final Process process;
    private final Path log;

    /**
     * Boots one.
     *
     * @param folder an empty folder
     * @param file will be {@code /package}
     */
    BootedRoot(Path folder, Path file) throws IOException {
        Path root = Files.createDirectory(folder.resolve("booted"));
        log = folder.resolve("boot.log");
        process = new ProcessBuilder(
                        "unshare",
                        "--mount",
                        "sh",
                        "-c",
                        BEGIN,
                        "sh",
                        root.toString(),
                        file.toAbsolutePath().toString())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(log.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            Await.until(() -> "systemd has booted: " + said(), this::isBooted);
            run(0, "ip link set lo up");
        } catch (AssertionError e) {
            close();
            throw e;
        }
    }

    private String said() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private boolean isBooted() {
        if (!process.isAlive()) {
            throw new AssertionError(BOOTS + " ended: " + said());
        }
        return init().map(init -> in(init, "systemctl is-active basic.target"))
                .filter(asked -> asked.output().startsWith("active"))
                .isPresent();
    }

    /** Returns process 1 of the copy, empty before there is one. */
    private Optional<ProcessHandle> init() {
        boolean isMade =
                process.info().command().filter(name -> name.endsWith(BOOTS)).isPresent();
        return isMade ? process.children().findFirst() : Optional.empty();
    }

    private static Program in(ProcessHandle init, String lines) {
        return Program.of(
                "sh",
                "-c",
                "exec nsenter -t " + init.pid() + " -a -r -w env -i " + ENVIRONMENT + " sh -c \"$1\"",
                "sh",
                lines);
    }

    /** Runs lines of the shell, of which the last one has to end with a status; returns what they say. */
    String run(int exit, String lines) {
        return in(init().orElseThrow(() -> new AssertionError("systemd ended: " + said())), lines)
                .run(exit);
    }

    @Override
    public void close() {
        // The end of process 1 of a namespace ends all others of it.
        Optional<CompletableFuture<ProcessHandle>> ended = init().map(ProcessHandle::onExit);
        init().ifPresent(ProcessHandle::destroyForcibly);
        ended.ifPresent(each -> Await.value("the end of systemd", each));
        process.destroyForcibly();
        Await.value("the end of " + BOOTS, process.onExit());
        Program.of("sh", "-c", END).run();
    }
}
