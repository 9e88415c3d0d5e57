package org.railyard.bench.peer;

import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.railyard.bench.compare.Leftovers;

/**
 * A running program whose output is kept, up to {@value #OUTPUT_LIMIT} characters. Closing kills it and waits for its
 * end, and so does the end of this JVM. Used by one thread.
 */
public final class ExternalTool implements AutoCloseable {
    /** Characters kept of the output; what comes after them is read and dropped. */
    static final int OUTPUT_LIMIT = 1 << 20;

    private final String name;
    private final Process process;
    private final Thread reader;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final StringBuilder output = new StringBuilder();
    private boolean ended;

    private ExternalTool(String name, Process process) {
        this.name = name;
        this.process = process;
        this.reader = Thread.ofPlatform().daemon().name("bench reads " + name).unstarted(this::read);
    }

    /** Tells whether there is a program of this name in the PATH. */
    public static boolean isInstalled(String name) {
        String path = System.getenv("PATH");
        if (path == null) {
            return false;
        }
        for (String directory : path.split(File.pathSeparator, -1)) {
            if (isProgram(directory, name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isProgram(String directory, String name) {
        try {
            return Files.isExecutable(Path.of(directory, name));
        } catch (InvalidPathException e) {
            // An entry that is no path holds no program.
            return false;
        }
    }

    /** Starts a program; its errors go with its output, its input is empty. */
    public static ExternalTool start(List<String> command) throws IOException {
        return start(command.getFirst(), command);
    }

    /**
     * Starts a program; its errors go with its output, its input is empty.
     *
     * @param name of the program, for messages: the command may begin with others that run it
     */
    static ExternalTool start(String name, List<String> command) throws IOException {
        Process process = Leftovers.start(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null"))));
        ExternalTool tool = new ExternalTool(name, process);
        tool.reader.start();
        return tool;
    }

    private void read() {
        char[] chunk = new char[8192];
        try (Reader in = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)) {
            for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                append(chunk, count);
            }
        } catch (IOException e) {
            // The program was killed while it wrote; what it said until then stands.
            append(new char[0], 0);
        } finally {
            end();
        }
    }

    private void append(char[] chunk, int count) {
        lock.lock();
        try {
            output.append(chunk, 0, Math.min(count, OUTPUT_LIMIT - output.length()));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the output contains a text.
     *
     * @throws IOException if the program ends before, or the time is over
     */
    void awaitOutput(String text, long limitNanos) throws IOException, InterruptedException {
        awaitOutput(text, 0, limitNanos);
    }

    /**
     * Waits until the output contains a text from a place on, and returns the place behind it.
     *
     * @throws IOException if the program ends before, or the time is over
     */
    public int awaitOutput(String text, int from, long limitNanos) throws IOException, InterruptedException {
        long left = limitNanos;
        lock.lock();
        try {
            while (output.indexOf(text, from) < 0) {
                if (ended) {
                    throw new IOException(name + " ended: " + lastLine());
                }
                if (left <= 0) {
                    throw new IOException(
                            name + " did not say \"" + text + "\" in time; the last it said: " + lastLine());
                }
                left = changed.awaitNanos(left);
            }
            return output.indexOf(text, from) + text.length();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until nothing more was said for so long, and returns the place where the output ends. */
    public int awaitQuiet(long nanos) throws InterruptedException {
        lock.lock();
        try {
            int length;
            do {
                length = output.length();
                long left = nanos;
                while (left > 0 && output.length() == length && !ended) {
                    left = changed.awaitNanos(left);
                }
            } while (output.length() != length);
            return length;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of the process. */
    public long pid() {
        return process.pid();
    }

    /** Returns how long the program has had a processor; zero where that is not known. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /**
     * Waits until the program ends and returns what it said.
     *
     * @throws IOException if it exits with another code than 0 or does not end in time
     */
    String awaitEnd(long limitNanos) throws IOException, InterruptedException {
        long left = limitNanos;
        lock.lock();
        try {
            while (!ended) {
                if (left <= 0) {
                    throw new IOException(name + " did not end within " + TimeUnit.NANOSECONDS.toMillis(limitNanos)
                            + " ms: " + lastLine());
                }
                left = changed.awaitNanos(left);
            }
            int code = process.waitFor();
            if (code != 0) {
                throw new IOException(name + " exited with code " + code + ": " + lastLine());
            }
            return output.toString();
        } finally {
            lock.unlock();
        }
    }

    /** Returns what it has said up to a place that was waited for. */
    String outputUntil(int place) {
        lock.lock();
        try {
            return output.substring(0, place);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the last line of what it has said so far. */
    String output() {
        lock.lock();
        try {
            return lastLine();
        } finally {
            lock.unlock();
        }
    }

    private String lastLine() {
        return output.toString()
                .lines()
                .filter(line -> !line.isBlank())
                .reduce((first, second) -> second)
                .orElse("it said nothing");
    }

    @Override
    public void close() {
        // Its CPU time is known when it has ended.
        Leftovers.end(process);
    }
}
