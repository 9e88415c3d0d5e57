package org.railyard.bench.compare;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Programs and folders of a measurement, which nobody would end and delete when this JVM is told to end: then no
 * {@code finally} runs. Programs are ended first, with those that they started, so that nothing writes into the folders
 * any more. Thread-safe.
 */
public final class Leftovers {
    /** How long programs have to end by themselves before they are killed. */
    private static final long END_MILLIS = 1000;

    private static final Object LOCK = new Object();

    @GuardedBy("LOCK")
    private static final Set<Process> PROCESSES = new LinkedHashSet<>();

    @GuardedBy("LOCK")
    private static final Set<Path> FOLDERS = new LinkedHashSet<>();

    @GuardedBy("LOCK")
    private static boolean ending;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Leftovers::end, "bench tidies up"));
    }

    private Leftovers() {}

    /**
     * Starts a program, which {@link #end(Process)} ends, or the end of this JVM.
     *
     * @throws IOException if it can not be started, or this JVM ends
     */
    public static Process start(ProcessBuilder builder) throws IOException {
        synchronized (LOCK) {
            if (ending) {
                throw new IOException("interrupted: " + builder.command().getFirst() + " is not started any more");
            }
            PROCESSES.removeIf(each -> !each.isAlive());
            Process process = builder.start();
            PROCESSES.add(process);
            return process;
        }
    }

    /** Kills a program with those that it started, and waits for its end, a second at most. */
    public static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        await(process);
    }

    private static void await(Process process) {
        try {
            process.waitFor(END_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes an empty folder, which {@link #delete} deletes, or the end of this JVM. */
    public static Path folder() throws IOException {
        Path folder = Files.createTempDirectory("railyard-bench");
        synchronized (LOCK) {
            FOLDERS.add(folder);
        }
        return folder;
    }

    /** Deletes a folder with all that is in it. */
    public static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
        synchronized (LOCK) {
            FOLDERS.remove(folder);
        }
    }

    private static void end() {
        List<Process> processes;
        List<Path> folders;
        synchronized (LOCK) {
            ending = true;
            processes = new ArrayList<>(PROCESSES);
            folders = new ArrayList<>(FOLDERS);
        }
        for (Process each : processes) {
            // Some have something of their own to tidy up.
            List<ProcessHandle> started = each.descendants().toList();
            started.forEach(ProcessHandle::destroy);
            each.destroy();
            await(each);
            started.forEach(ProcessHandle::destroyForcibly);
            end(each);
        }
        for (Path each : folders) {
            try {
                delete(each);
            } catch (NoSuchFileException e) {
                // The measurement has just done so.
            } catch (IOException | UncheckedIOException e) {
                System.getLogger("org.railyard.bench").log(System.Logger.Level.WARNING, each + " is left behind", e);
            }
        }
    }
}
